package index

import "testing"

func TestFits(t *testing.T) {
	for _, tt := range []struct {
		file, python string
		want         bool
	}{
		{"snail-1.0-py3-none-any.whl", "3.6", true},
		{"snail-1.0-py2.py3-none-any.whl", "3.12", true},
		{"snail-1.0-py2-none-any.whl", "3.12", false},
		{"snail-1.0-cp39-cp39-manylinux1_x86_64.whl", "3.9", true},
		{"snail-1.0-cp39-cp39-manylinux1_x86_64.whl", "3.10", false},
		{"snail-1.0-1-cp37-abi3-manylinux2014_x86_64.whl", "3.11", true},
		{"snail-1.0-cp37-abi3-manylinux2014_x86_64.whl", "3.6", false},
		{"snail-1.0-cp39-cp39-win_amd64.whl", "3.9", false},
		{"snail-1.0-cp39-cp39-macosx_11_0_arm64.whl", "3.9", false},
	} {
		all := releases("snail", []file{{Name: tt.file}})
		if len(all) != 1 || all[0].Fits(tt.python) != tt.want {
			t.Errorf("%s on %s: %+v, want %v", tt.file, tt.python, all, tt.want)
		}
	}
}
