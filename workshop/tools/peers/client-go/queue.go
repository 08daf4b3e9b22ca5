package main

import (
	"runtime"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// queueStep is one call of a queue or of a limiter.
type queueStep struct {
	Do   string `json:"do"`
	Item string `json:"item"`
}

// queueScript says what the limiter is, too: exponential or fastSlow, or the longer of both.
type queueScript struct {
	Limiter     string      `json:"limiter"`
	BaseMs      int64       `json:"baseMs"`
	MaxMs       int64       `json:"maxMs"`
	FastMs      int64       `json:"fastMs"`
	SlowMs      int64       `json:"slowMs"`
	MaxAttempts int         `json:"maxAttempts"`
	Steps       []queueStep `json:"steps"`
}

// queueResult is what one step brought, and what can be seen after it.
type queueResult struct {
	Item     string `json:"item"`
	Shutdown bool   `json:"shutdown"`
	Length   int    `json:"length"`
	Drained  int    `json:"drained"`
	WaitMs   int64  `json:"waitMs"`
	Requeues int    `json:"requeues"`
}

func limiterOf(script queueScript) workqueue.TypedRateLimiter[string] {
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	exponential := workqueue.NewTypedItemExponentialFailureRateLimiter[string](ms(script.BaseMs), ms(script.MaxMs))
	fastSlow := workqueue.NewTypedItemFastSlowRateLimiter[string](ms(script.FastMs), ms(script.SlowMs), script.MaxAttempts)
	switch script.Limiter {
	case "exponential":
		return exponential
	case "fastSlow":
		return fastSlow
	default:
		return workqueue.NewTypedMaxOfRateLimiter[string](exponential, fastSlow)
	}
}

// letOthersRun returns when every goroutine that can run has had its turns. A drain blocks, and so has one of its own.
func letOthersRun() {
	for range 20 {
		runtime.Gosched()
	}
}

func runQueue(script queueScript) []queueResult {
	// With one thread, Gosched runs all others before it returns.
	runtime.GOMAXPROCS(1)
	queue := workqueue.NewTyped[string]()
	limiter := limiterOf(script)
	defer queue.ShutDown()
	ended := false
	drained := 0
	results := make([]queueResult, len(script.Steps))
	for i, step := range script.Steps {
		result := &results[i]
		switch step.Do {
		case "add":
			queue.Add(step.Item)
		case "get":
			if queue.Len() > 0 || ended {
				result.Item, result.Shutdown = queue.Get()
			}
		case "done":
			queue.Done(step.Item)
		case "shutDown":
			queue.ShutDown()
			ended = true
		case "drain":
			ended = true
			go func() {
				queue.ShutDownWithDrain()
				drained++
			}()
		case "when":
			result.WaitMs = limiter.When(step.Item).Milliseconds()
		case "forget":
			limiter.Forget(step.Item)
		default:
			fail("Expected a step, got " + step.Do)
		}
		letOthersRun()
		result.Length = queue.Len()
		result.Drained = drained
		result.Requeues = limiter.NumRequeues(step.Item)
	}
	return results
}
