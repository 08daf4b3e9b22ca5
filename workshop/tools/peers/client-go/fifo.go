package main

import (
	"reflect"
	"sort"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// fifoObject is what scripts queue: a name and which state of it.
type fifoObject struct {
	Name  string `json:"name"`
	State int    `json:"state"`
}

// fifoStep is one call; of replace, Objects is the list.
type fifoStep struct {
	Do      string       `json:"do"`
	Object  fifoObject   `json:"object"`
	Objects []fifoObject `json:"objects"`
}

type fifoScript struct {
	Known             []fifoObject `json:"known"`
	WithoutKnown      bool         `json:"withoutKnown"`
	EmitDeltaReplaced bool         `json:"emitDeltaTypeReplaced"`
	Steps             []fifoStep   `json:"steps"`
}

// fifoDelta is a delta as both sides write it.
type fifoDelta struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	State   int    `json:"state"`
	Unknown bool   `json:"unknown"`
}

// fifoResult is what can be seen after one step.
type fifoResult struct {
	Popped  []fifoDelta `json:"popped"`
	Initial bool        `json:"initial"`
	Keys    []string    `json:"keys"`
	Synced  bool        `json:"synced"`
}

type known map[string]*metav1.ObjectMeta

func (k known) ListKeys() []string {
	keys := make([]string, 0, len(k))
	for key := range k {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func (k known) GetByKey(key string) (any, bool, error) {
	object, ok := k[key]
	return object, ok, nil
}

func metaOf(object fifoObject) *metav1.ObjectMeta {
	return &metav1.ObjectMeta{Name: object.Name, Generation: int64(object.State)}
}

func deltaOf(delta cache.Delta) fifoDelta {
	out := fifoDelta{Type: string(delta.Type)}
	object := delta.Object
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		out.Unknown, out.Name, object = true, tombstone.Key, tombstone.Obj
	}
	if meta, ok := object.(*metav1.ObjectMeta); ok && meta != nil {
		out.Name, out.State = meta.Name, int(meta.Generation)
	}
	return out
}

// keysOf reads which keys wait; DeltaFIFO no longer tells anybody.
func keysOf(fifo *cache.DeltaFIFO) []string {
	queue := reflect.ValueOf(fifo).Elem().FieldByName("queue")
	keys := make([]string, queue.Len())
	for i := range keys {
		keys[i] = queue.Index(i).String()
	}
	return keys
}

func runStep(fifo *cache.DeltaFIFO, store known, step fifoStep) fifoResult {
	result := fifoResult{Popped: []fifoDelta{}}
	switch step.Do {
	case "add":
		_ = fifo.Add(metaOf(step.Object))
	case "update":
		_ = fifo.Update(metaOf(step.Object))
	case "delete":
		_ = fifo.Delete(metaOf(step.Object))
	case "replace":
		list := make([]any, len(step.Objects))
		for i, object := range step.Objects {
			list[i] = metaOf(object)
		}
		_ = fifo.Replace(list, "1")
	case "resync":
		_ = fifo.Resync()
	case "pop":
		if len(keysOf(fifo)) == 0 {
			break
		}
		_, _ = fifo.Pop(func(popped any, initial bool) error {
			result.Initial = initial
			for _, delta := range popped.(cache.Deltas) {
				out := deltaOf(delta)
				result.Popped = append(result.Popped, out)
				if out.Type == "Deleted" {
					delete(store, out.Name)
				} else {
					store[out.Name] = &metav1.ObjectMeta{Name: out.Name, Generation: int64(out.State)}
				}
			}
			return nil
		})
	default:
		fail("Expected a step, got " + step.Do)
	}
	result.Keys = keysOf(fifo)
	result.Synced = fifo.HasSynced()
	return result
}

func runFifo(script fifoScript) []fifoResult {
	store := known{}
	for _, object := range script.Known {
		store[object.Name] = metaOf(object)
	}
	options := cache.DeltaFIFOOptions{KnownObjects: store, EmitDeltaTypeReplaced: script.EmitDeltaReplaced}
	if script.WithoutKnown {
		options.KnownObjects = nil
	}
	fifo := cache.NewDeltaFIFOWithOptions(options)
	results := make([]fifoResult, len(script.Steps))
	for i, step := range script.Steps {
		results[i] = runStep(fifo, store, step)
	}
	return results
}
