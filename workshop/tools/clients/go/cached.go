package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

func named(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": name}}
}

func clientCases(c clients, plain client.Client) {
	run("client: typed and unstructured objects, statuses, conflicts", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		web := deployment("web", 3)
		web.Namespace = namespace
		must(plain.Create(ctx, web))
		stale := web.DeepCopy()
		web.Status.Replicas = 3
		must(plain.Status().Update(ctx, web))
		equal(web.Status.Replicas, 3)
		stale.Labels = map[string]string{"late": "yes"}
		expect(apierrors.IsConflict(plain.Update(ctx, stale)), "a conflict")
		before := web.DeepCopy()
		web.Labels = map[string]string{"tier": "x"}
		must(plain.Patch(ctx, web, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})))
		must(plain.Patch(ctx, web, client.StrategicMergeFrom(before)))
		expect(apierrors.IsConflict(plain.Patch(ctx, before, client.MergeFromWithOptions(stale, client.MergeFromWithOptimisticLock{}))), "a conflict")
		partial := &metav1.PartialObjectMetadata{}
		partial.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("Deployment"))
		must(plain.Get(ctx, client.ObjectKeyFromObject(web), partial))
		equal(partial.Labels["tier"], "x")
		must(plain.Delete(ctx, web, client.PropagationPolicy(metav1.DeletePropagationForeground)))
	})
	run("client: applies, with owners and conflicts", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		mine := applycorev1.ConfigMap("a", namespace).WithData(map[string]string{"k": "1"})
		must(plain.Apply(ctx, mine, client.FieldOwner("me")))
		yours := applycorev1.ConfigMap("a", namespace).WithData(map[string]string{"k": "2"})
		expect(apierrors.IsConflict(plain.Apply(ctx, yours, client.FieldOwner("you"))), "a conflict")
		must(plain.Apply(ctx, yours, client.FieldOwner("you"), client.ForceOwnership))
		object := &corev1.ConfigMap{}
		must(plain.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "a"}, object))
		equal(object.Data["k"], "2")
	})
	run("client: scales through a subresource, tries a write without it being done, deletes many", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		web := deployment("web", 1)
		web.Namespace = namespace
		must(plain.Create(ctx, web, client.DryRunAll))
		expect(apierrors.IsNotFound(plain.Get(ctx, client.ObjectKeyFromObject(web), web)), "nothing to be written")
		web = deployment("web", 1)
		web.Namespace = namespace
		must(plain.Create(ctx, web))
		_, err := c.typed.AppsV1().Deployments(namespace).GetScale(ctx, "web", metav1.GetOptions{})
		must(err)
		for _, name := range []string{"a", "b", "c"} {
			must(plain.Create(ctx, &corev1.ConfigMap{ObjectMeta: named(namespace, name)}))
		}
		must(plain.DeleteAllOf(ctx, &corev1.ConfigMap{}, client.InNamespace(namespace), client.MatchingLabels{"app": "a"}))
		list := &corev1.ConfigMapList{}
		must(plain.List(ctx, list, client.InNamespace(namespace), client.Limit(1)))
		expect(len(list.Items) == 1 && list.Continue != "", "a page of one, got %d", len(list.Items))
	})
	run("client: knows which kinds live in namespaces", func(ctx context.Context) {
		namespaced := got(apiutil.IsObjectNamespaced(&corev1.Node{}, scheme.Scheme, plain.RESTMapper()))
		equal(namespaced, false)
		equal(got(plain.IsObjectNamespaced(&corev1.Pod{})), true)
	})
	run("envtest: installs and removes definitions", func(ctx context.Context) {
		definition := websiteDefinition()
		definition.Name, definition.Spec.Group = "websites.envtest.example.com", "envtest.example.com"
		options := envtest.CRDInstallOptions{CRDs: []*extensions.CustomResourceDefinition{definition}}
		got(envtest.InstallCRDs(c.config, options))
		must(envtest.UninstallCRDs(c.config, options))
	})
}

func startCache(ctx context.Context, c clients, options cache.Options) cache.Cache {
	one := got(cache.New(c.config, options))
	go func() { _ = one.Start(ctx) }()
	return one
}

func cacheCases(c clients, plain client.Client) {
	run("cache: indexes fields, follows changes, reads in namespaces", func(ctx context.Context) {
		namespace, other := c.namespace(ctx), c.namespace(ctx)
		one := got(cache.New(c.config, cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}, other: {}}}))
		must(one.IndexField(ctx, &corev1.ConfigMap{}, "kind", func(object client.Object) []string { return []string{object.(*corev1.ConfigMap).Data["kind"]} }))
		go func() { _ = one.Start(ctx) }()
		informer := got(one.GetInformer(ctx, &corev1.ConfigMap{}))
		lines := make(chan string, 10)
		got(informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: func(object any) { lines <- object.(*corev1.ConfigMap).Name }}))
		must(plain.Create(ctx, &corev1.ConfigMap{ObjectMeta: named(namespace, "a"), Data: map[string]string{"kind": "x"}}))
		must(plain.Create(ctx, &corev1.ConfigMap{ObjectMeta: named(other, "b"), Data: map[string]string{"kind": "x"}}))
		equal(len(next(ctx, "one", lines))+len(next(ctx, "another", lines)), 2)
		list := &corev1.ConfigMapList{}
		must(one.List(ctx, list, client.MatchingFields{"kind": "x"}))
		equal(len(list.Items), 2)
		must(one.List(ctx, list, client.InNamespace(namespace), client.MatchingFields{"kind": "x"}))
		equal(len(list.Items), 1)
	})
	run("cache: holds what selectors choose, and metadata alone", func(ctx context.Context) {
		namespace := c.namespace(ctx)
		for _, name := range []string{"a", "b"} {
			must(plain.Create(ctx, &corev1.ConfigMap{ObjectMeta: named(namespace, name)}))
			must(plain.Create(ctx, &corev1.Secret{ObjectMeta: named(namespace, name)}))
		}
		one := startCache(ctx, c, cache.Options{
			DefaultNamespaces: map[string]cache.Config{namespace: {}},
			ByObject:          map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {Field: fields.OneTermEqualSelector("metadata.name", "a")}},
		})
		expect(one.WaitForCacheSync(ctx), "the cache to be synced")
		list := &corev1.ConfigMapList{}
		must(one.List(ctx, list))
		equal(len(list.Items), 1)
		partial := &metav1.PartialObjectMetadataList{}
		partial.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("SecretList"))
		must(one.List(ctx, partial, client.MatchingLabels{"app": "b"}))
		equal(len(partial.Items), 1)
	})
}
