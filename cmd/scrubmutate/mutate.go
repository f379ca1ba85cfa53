package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
)

// A mutant is one small fault in one file.
type mutant struct {
	pkg, file string
	line      int
	what      string
	from, to  int // bytes of the file
	text      string
}

// swaps are the operators that are taken for one another.
var swaps = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ,
	token.GEQ: token.GTR, token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD,
	token.INC: token.DEC, token.DEC: token.INC,
}

// mutants are all the faults that could be planted in a file.
func mutants(pkg, file string) ([]mutant, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []mutant
	add := func(at token.Pos, length int, what, text string) {
		p := fset.Position(at)
		all = append(all, mutant{pkg, file, p.Line, what, p.Offset, p.Offset + length, text})
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.IMPORT
		case *ast.BinaryExpr:
			if to, ok := swaps[n.Op]; ok && !textual(n) {
				add(n.OpPos, len(n.Op.String()), fmt.Sprintf("%s for %s", to, n.Op), to.String())
			}
		case *ast.IncDecStmt:
			add(n.TokPos, 2, fmt.Sprintf("%s for %s", swaps[n.Tok], n.Tok), swaps[n.Tok].String())
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(n.OpPos, 1, "without !", "")
			}
		case *ast.Ident:
			if n.Name == "true" || n.Name == "false" {
				add(n.Pos(), len(n.Name), "the other truth", strconv.FormatBool(n.Name == "false"))
			}
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
				add(n.Pos(), len(n.Value), fmt.Sprintf("%d for %d", v+1, v), strconv.Itoa(v+1))
			}
		case *ast.ExprStmt:
			add(n.Pos(), int(n.End()-n.Pos()), "a call left out", "")
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN && len(n.Lhs) == 1 {
				add(n.Pos(), int(n.End()-n.Pos()), "an assignment left out", "")
			}
		}
		return true
	})
	return all, nil
}

// textual reports whether an expression joins texts, where a minus is no Go.
func textual(n *ast.BinaryExpr) bool {
	lit, ok := n.X.(*ast.BasicLit)
	other, ok2 := n.Y.(*ast.BasicLit)
	return n.Op == token.ADD && (ok && lit.Kind == token.STRING || ok2 && other.Kind == token.STRING)
}

// planted is the file with the fault in it.
func (m mutant) planted() ([]byte, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return nil, err
	}
	return append(append(append([]byte{}, text[:m.from]...), m.text...), text[m.to:]...), nil
}
