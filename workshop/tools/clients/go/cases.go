package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"time"
)

// outcome is what came of one case.
type outcome struct {
	Case   string `json:"case"`
	Passed bool   `json:"passed"`
	Why    string `json:"why,omitempty"`
}

// complaint ends a case.
type complaint struct{ text string }

// must ends the case with an error.
func must(err error) {
	if err != nil {
		panic(complaint{err.Error()})
	}
}

// got returns a value, or ends the case with the error that came instead.
func got[T any](value T, err error) T {
	must(err)
	return value
}

// expect ends the case unless something is so.
func expect(holds bool, format string, values ...any) {
	if !holds {
		panic(complaint{"Expected " + fmt.Sprintf(format, values...)})
	}
}

// equal ends the case unless two values are deeply equal.
func equal[T any](actual, expected T) {
	if !reflect.DeepEqual(actual, expected) {
		a, _ := json.Marshal(actual)
		e, _ := json.Marshal(expected)
		panic(complaint{fmt.Sprintf("Expected %s, got %s", e, a)})
	}
}

// eventually waits until something is so.
func eventually(ctx context.Context, what string, holds func() bool) {
	for !holds() {
		select {
		case <-ctx.Done():
			panic(complaint{"Expected " + what + " within the time of the case"})
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// next waits for a value.
func next[T any](ctx context.Context, what string, values <-chan T) T {
	select {
	case value, open := <-values:
		expect(open, "%s, got the end", what)
		return value
	case <-ctx.Done():
		panic(complaint{"Expected " + what + " within the time of the case"})
	}
}

var printer = json.NewEncoder(os.Stdout)

// run runs one case and prints what came of it.
func run(name string, body func(ctx context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	result := outcome{Case: name, Passed: true}
	defer func() {
		if problem := recover(); problem != nil {
			result.Passed = false
			if told, ok := problem.(complaint); ok {
				result.Why = told.text
			} else {
				result.Why = fmt.Sprint(problem)
			}
		}
		must(printer.Encode(result))
	}()
	body(ctx)
}
