package calls

import (
	"encoding/json"

	"golang.org/x/sys/unix"
)

// Profile is the filter in the form that container engines read.
func (f Filter) Profile() ([]byte, error) {
	names, rules := f.calls()
	p := filterProfile{Default: "SCMP_ACT_ERRNO", Errno: int(unix.ENOSYS), Rules: []filterRule{
		{Names: names, Action: "SCMP_ACT_ALLOW"},
	}}
	p.Rules = append(p.Rules, filterRule{Names: refused, Action: "SCMP_ACT_ERRNO", Errno: int(unix.EPERM)})
	for _, r := range rules {
		p.Rules = append(p.Rules, filterRule{Names: []string{r.name}, Action: "SCMP_ACT_ALLOW", Args: r.args()})
	}
	for _, r := range pretended() {
		p.Rules = append(p.Rules, filterRule{Names: []string{r.name}, Action: "SCMP_ACT_ERRNO", Errno: 0,
			Args: r.args()})
	}
	return json.Marshal(p)
}

func (r callRule) args() []filterArg {
	var all []filterArg
	for _, c := range r.conds {
		switch c.op {
		case "=":
			all = append(all, filterArg{Index: c.arg, Value: c.value, Op: "SCMP_CMP_EQ"})
		case "!=":
			all = append(all, filterArg{Index: c.arg, Value: c.value, Op: "SCMP_CMP_NE"})
		case "no bits of":
			all = append(all, filterArg{Index: c.arg, Value: c.value, Mask: 0, Op: "SCMP_CMP_MASKED_EQ"})
		}
	}
	return all
}

type filterProfile struct {
	Default string       `json:"defaultAction"`
	Errno   int          `json:"defaultErrnoRet"`
	Rules   []filterRule `json:"syscalls"`
}

type filterRule struct {
	Names  []string    `json:"names"`
	Action string      `json:"action"`
	Errno  int         `json:"errnoRet"`
	Args   []filterArg `json:"args,omitempty"`
}

type filterArg struct {
	Index uint32 `json:"index"`
	Value uint64 `json:"value"`
	Mask  uint64 `json:"valueTwo"`
	Op    string `json:"op"`
}
