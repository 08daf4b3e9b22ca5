package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

func lineOf(event watch.Event) string {
	object := event.Object.(metav1.Object)
	return fmt.Sprint(event.Type, " ", object.GetName())
}

// note makes a handler that says what it was told.
func note(lines chan<- string) cache.ResourceEventHandler {
	name := func(object any) string { return object.(metav1.Object).GetName() }
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(object any, initial bool) { lines <- fmt.Sprint("added ", name(object), " ", initial) },
		UpdateFunc: func(_, object any) { lines <- "updated " + name(object) },
		DeleteFunc: func(object any) { lines <- "deleted " + name(object) },
	}
}

func (c clients) watchCases(form string) {
	named := func(text string) string { return "watches, " + form + ": " + text }
	run(named("brings every change from the version of a list, and what selectors make of it"), func(ctx context.Context) {
		maps := c.typed.CoreV1().ConfigMaps(c.namespace(ctx))
		version := got(maps.List(ctx, metav1.ListOptions{})).ResourceVersion
		all := got(maps.Watch(ctx, metav1.ListOptions{ResourceVersion: version}))
		defer all.Stop()
		selected := got(maps.Watch(ctx, metav1.ListOptions{ResourceVersion: version, LabelSelector: "app=a"}))
		defer selected.Stop()
		got(maps.Create(ctx, configMap("a", nil), metav1.CreateOptions{}))
		got(maps.Create(ctx, configMap("b", nil), metav1.CreateOptions{}))
		got(maps.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"labels":{"app":"z"}}}`), metav1.PatchOptions{}))
		must(maps.Delete(ctx, "b", metav1.DeleteOptions{}))
		for _, line := range []string{"ADDED a", "ADDED b", "MODIFIED a", "DELETED b"} {
			equal(lineOf(next(ctx, line, all.ResultChan())), line)
		}
		for _, line := range []string{"ADDED a", "DELETED a"} {
			equal(lineOf(next(ctx, line, selected.ResultChan())), line)
		}
	})
	run(named("streams the initial list, and a bookmark at its end"), func(ctx context.Context) {
		maps := c.typed.CoreV1().ConfigMaps(c.namespace(ctx))
		got(maps.Create(ctx, configMap("a", nil), metav1.CreateOptions{}))
		yes := true
		options := metav1.ListOptions{SendInitialEvents: &yes, AllowWatchBookmarks: true, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}
		stream := got(maps.Watch(ctx, options))
		defer stream.Stop()
		equal(lineOf(next(ctx, "the object", stream.ResultChan())), "ADDED a")
		end := next(ctx, "a bookmark", stream.ResultChan())
		equal(end.Type, watch.Bookmark)
		equal(end.Object.(metav1.Object).GetAnnotations()[metav1.InitialEventsAnnotationKey], "true")
	})
	run(named("is refused a version that is no number"), func(ctx context.Context) {
		maps := c.typed.CoreV1().ConfigMaps(c.namespace(ctx))
		_, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: "x"})
		expect(err != nil && strings.Contains(err.Error(), `Invalid value: "x"`), "a word about x, got %v", err)
	})
	run("informers, "+form+": lists, follows, indexes and stops", func(ctx context.Context) { c.sharedInformer(ctx) })
	run("tools/watch, "+form+": waits until a condition holds", func(ctx context.Context) {
		maps := c.typed.CoreV1().ConfigMaps(c.namespace(ctx))
		one := fields.OneTermEqualSelector("metadata.name", "a").String()
		from := &cache.ListWatch{
			ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				options.FieldSelector = one
				return maps.List(ctx, options)
			},
			WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
				options.FieldSelector = one
				return maps.Watch(ctx, options)
			},
		}
		go func() {
			time.Sleep(50 * time.Millisecond)
			_, _ = maps.Create(ctx, configMap("a", map[string]string{"ready": "yes"}), metav1.CreateOptions{})
		}()
		_, err := watchtools.UntilWithSync(ctx, from, &corev1.ConfigMap{}, nil, func(event watch.Event) (bool, error) {
			return event.Object.(*corev1.ConfigMap).Data["ready"] == "yes", nil
		})
		must(err)
	})
}

func (c clients) sharedInformer(ctx context.Context) {
	namespace := c.namespace(ctx)
	maps := c.typed.CoreV1().ConfigMaps(namespace)
	got(maps.Create(ctx, configMap("a", nil), metav1.CreateOptions{}))
	factory := informers.NewSharedInformerFactoryWithOptions(c.typed, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps()
	byApp := cache.Indexers{"app": func(object any) ([]string, error) { return []string{object.(*corev1.ConfigMap).Labels["app"]}, nil }}
	must(informer.Informer().AddIndexers(byApp))
	lines := make(chan string, 10)
	got(informer.Informer().AddEventHandler(note(lines)))
	ended, stop := context.WithCancel(ctx)
	factory.Start(ended.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		expect(synced, "%v to be synced", kind)
	}
	equal(next(ctx, "the first", lines), "added a true")
	got(maps.Create(ctx, configMap("b", nil), metav1.CreateOptions{}))
	equal(next(ctx, "the second", lines), "added b false")
	got(maps.Patch(ctx, "b", types.MergePatchType, []byte(`{"data":{"k":"v"}}`), metav1.PatchOptions{}))
	equal(next(ctx, "the change", lines), "updated b")
	equal(got(informer.Lister().ConfigMaps(namespace).Get("b")).Data["k"], "v")
	equal(len(got(informer.Informer().GetIndexer().ByIndex("app", "b"))), 1)
	must(maps.Delete(ctx, "a", metav1.DeleteOptions{}))
	equal(next(ctx, "the end", lines), "deleted a")
	stop()
	factory.Shutdown()
}
