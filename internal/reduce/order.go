package reduce

// Halves proposes all changes at once, then halves of them, down to single
// ones. What is left of a change that lies in a greater one is not proposed.
func Halves(all []Edit, yield func(Edit) bool) bool {
	for size := len(all); size >= 1; size /= 2 {
		for i := 0; i < len(all); i += size {
			var e Edit
			for _, part := range all[i:min(i+size, len(all))] {
				if m, ok := Merge(e, part); ok {
					e = m
				}
			}
			if len(e) > 0 && !yield(e) {
				return false
			}
		}
		if size == 1 {
			break
		}
	}
	return true
}

// Tier puts passes into a tier: those of a later one are asked when the earlier
// have nothing more to offer.
func Tier(n int, all ...Pass) []Pass {
	for i := range all {
		all[i].Tier = n
	}
	return all
}
