package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

func (c clients) toolCases() {
	run("tools/record: records an event, and counts it when it comes again", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		about := got(c.typed.CoreV1().ConfigMaps(namespace).Create(ctx, configMap("a", nil), metav1.CreateOptions{}))
		broadcaster := record.NewBroadcaster()
		defer broadcaster.Shutdown()
		broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: c.typed.CoreV1().Events(namespace)})
		recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "clients"})
		recorder.Event(about, corev1.EventTypeNormal, "Tried", "it works")
		recorder.Event(about, corev1.EventTypeNormal, "Tried", "it works")
		eventually(ctx, "an event with the count 2", func() bool {
			list := got(c.typed.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=a"}))
			return len(list.Items) == 1 && list.Items[0].Count == 2
		})
	})
	run("tools/events: records an event of events.k8s.io", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		about := got(c.typed.CoreV1().ConfigMaps(namespace).Create(ctx, configMap("a", nil), metav1.CreateOptions{}))
		broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: c.typed.EventsV1()})
		must(broadcaster.StartRecordingToSinkWithContext(ctx))
		defer broadcaster.Shutdown()
		broadcaster.NewRecorder(scheme.Scheme, "clients").Eventf(about, nil, corev1.EventTypeNormal, "Tried", "Trying", "it %s", "works")
		eventually(ctx, "an event", func() bool {
			list := got(c.typed.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{}))
			return len(list.Items) == 1 && list.Items[0].Message == "it works" && list.Items[0].ReportingController == "clients"
		})
	})
	run("tools/leaderelection: one leads, the other follows when it has gone", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		leaders := make(chan string, 10)
		stand := func(ctx context.Context, identity string) {
			lock := got(resourcelock.New(resourcelock.LeasesResourceLock, namespace, "lease", c.typed.CoreV1(), c.typed.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: identity}))
			leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
				Lock: lock, ReleaseOnCancel: true, LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
				Callbacks: leaderelection.LeaderCallbacks{
					OnStartedLeading: func(context.Context) { leaders <- identity },
					OnStoppedLeading: func() {},
				},
			})
		}
		first, resign := context.WithCancel(ctx)
		go stand(first, "first")
		equal(next(ctx, "a leader", leaders), "first")
		go stand(ctx, "second")
		time.Sleep(500 * time.Millisecond)
		resign()
		equal(next(ctx, "another leader", leaders), "second")
		lease := got(c.typed.CoordinationV1().Leases(namespace).Get(ctx, "lease", metav1.GetOptions{}))
		equal(*lease.Spec.HolderIdentity, "second")
	})
	run("scale: scales what discovery says can be scaled", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		got(c.typed.AppsV1().Deployments(namespace).Create(ctx, deployment("web", 1), metav1.CreateOptions{}))
		resolver := scale.NewDiscoveryScaleKindResolver(c.typed.Discovery())
		mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(c.typed.Discovery()))
		client := got(scale.NewForConfig(c.config, mapper, dynamic.LegacyAPIPathResolverFunc, resolver)).Scales(namespace)
		deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
		current := got(client.Get(ctx, deployments, "web", metav1.GetOptions{}))
		current.Spec.Replicas = 5
		equal(got(client.Update(ctx, deployments, current, metav1.UpdateOptions{})).Spec.Replicas, 5)
	})
}

func (c clients) discoveryCases() {
	run("discovery: groups, resources, version, in one document and in many", func(ctx context.Context) {
		one := c.typed.Discovery()
		many := discovery.NewDiscoveryClientForConfigOrDie(rest.CopyConfig(c.config))
		many.UseLegacyDiscovery = true
		_, aggregated, err := one.ServerGroupsAndResources()
		must(err)
		_, legacy, err := many.ServerGroupsAndResources()
		must(err)
		count := func(lists []*metav1.APIResourceList) (total int) {
			for _, list := range lists {
				total += len(list.APIResources)
			}
			return total
		}
		expect(count(aggregated) > 100 && count(aggregated) == count(legacy), "the same resources, got %d and %d", count(aggregated), count(legacy))
		got(one.ServerPreferredNamespacedResources())
		expect(got(one.ServerVersion()).Major == "1", "a version")
	})
	run("discovery: OpenAPI 2 in protobuf and 3", func(ctx context.Context) {
		expect(len(got(c.typed.Discovery().OpenAPISchema()).Definitions.AdditionalProperties) > 300, "many definitions")
		paths := got(c.typed.Discovery().OpenAPIV3().Paths())
		for _, form := range []string{"application/json", "application/com.github.proto-openapi.spec.v3.v1.0+protobuf"} {
			document := got(paths["apis/apps/v1"].Schema(form))
			expect(len(document) > 10_000, "a document in %s", form)
		}
	})
	run("restmapper: maps kinds to resources, and finds a new kind after a reset", func(ctx context.Context) {
		mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(c.typed.Discovery()))
		mapping := got(mapper.RESTMapping(schema.GroupKind{Group: "apps", Kind: "Deployment"}))
		equal(mapping.Resource.Resource, "deployments")
		define(ctx, c.config)
		mapper.Reset()
		equal(got(mapper.RESTMapping(schema.GroupKind{Group: "clients.example.com", Kind: "Website"}, "v1")).Resource, websites)
	})
	run("rest: tells of a missing kind and of a missing object apart", func(ctx context.Context) {
		_, err := c.dynamic.Resource(schema.GroupVersionResource{Group: "no.example.com", Version: "v1", Resource: "things"}).List(ctx, metav1.ListOptions{})
		expect(apierrors.IsNotFound(err) && apierrors.ReasonForError(err) == metav1.StatusReasonNotFound, "that there is no such kind, got %v", err)
	})
}
