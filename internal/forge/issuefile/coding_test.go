package issuefile

import "testing"

func TestDecoded(t *testing.T) {
	for in, want := range map[string]string{
		"x = 1\n": "x = 1\n",
		"# -*- coding: latin-1 -*-\nx = '\xe9'\n":          "# -*- coding: utf-8 -*-\nx = 'é'\n",
		"#!/usr/bin/python\n# coding=cp1252\nx = '\x80'\n": "#!/usr/bin/python\n# coding=utf-8\nx = '€'\n",
		"x = 1\ny = 2\n# coding: latin-1\n":                "x = 1\ny = 2\n# coding: latin-1\n",
		"# coding: utf_8\nx = 'é'\n":                       "# coding: utf_8\nx = 'é'\n",
	} {
		if got, err := decoded([]byte(in)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	if _, err := decoded([]byte("# coding: klingon\n")); err == nil {
		t.Error("an unknown coding is no error")
	}
}
