package main

import (
	"context"
	"sync/atomic"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const finalizer = "clients.example.com/site"

var websiteKind = schema.GroupVersionKind{Group: "clients.example.com", Version: "v1", Kind: "Website"}

func emptyWebsite() *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(websiteKind)
	return object
}

// managerFor makes a manager for a namespace that elects a leader.
func managerFor(base *rest.Config, namespace string) manager.Manager {
	skip, duration, deadline, retry := true, 3*time.Second, 2*time.Second, 200*time.Millisecond
	return got(ctrl.NewManager(base, ctrl.Options{
		Scheme: scheme.Scheme, Metrics: server.Options{BindAddress: "0"}, Controller: config.Controller{SkipNameValidation: &skip},
		Cache:          cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		LeaderElection: true, LeaderElectionID: "clients", LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: true,
		LeaseDuration: &duration, RenewDeadline: &deadline, RetryPeriod: &retry,
	}))
}

// websiteReconciler makes a deployment of each website, says in its status what became of it, and counts what it does at the end of one.
type websiteReconciler struct {
	client  client.Client
	cleaned *atomic.Int32
}

func (r websiteReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	site := emptyWebsite()
	if err := r.client.Get(ctx, request.NamespacedName, site); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if site.GetDeletionTimestamp() != nil {
		if controllerutil.RemoveFinalizer(site, finalizer) {
			r.cleaned.Add(1)
			return reconcile.Result{}, r.client.Update(ctx, site)
		}
		return reconcile.Result{}, nil
	}
	if controllerutil.AddFinalizer(site, finalizer) {
		return reconcile.Result{}, r.client.Update(ctx, site)
	}
	replicas, _, _ := unstructured.NestedInt64(site.Object, "spec", "replicas")
	owned := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: site.GetName(), Namespace: site.GetNamespace()}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.client, owned, func() error {
		if owned.CreationTimestamp.IsZero() {
			owned.Spec = deployment("", int32(replicas)).Spec
		}
		number := int32(replicas)
		owned.Spec.Replicas = &number
		return controllerutil.SetControllerReference(site, owned, scheme.Scheme)
	})
	if err != nil {
		return reconcile.Result{}, err
	}
	before := site.DeepCopy()
	must(unstructured.SetNestedField(site.Object, int64(owned.Status.ReadyReplicas), "status", "replicas"))
	return reconcile.Result{}, r.client.Status().Patch(ctx, site, client.MergeFrom(before))
}

// deploymentReconciler stands in for those who run pods: what is asked for is ready.
type deploymentReconciler struct{ client client.Client }

func (r deploymentReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object := &appsv1.Deployment{}
	if err := r.client.Get(ctx, request.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if object.Status.ReadyReplicas == *object.Spec.Replicas && object.Status.ObservedGeneration == object.Generation {
		return reconcile.Result{}, nil
	}
	object.Status.ObservedGeneration = object.Generation
	object.Status.Replicas, object.Status.ReadyReplicas = *object.Spec.Replicas, *object.Spec.Replicas
	return reconcile.Result{}, r.client.Status().Update(ctx, object)
}

// addControllers adds both, and a count of those who lead.
func addControllers(one manager.Manager, cleaned *atomic.Int32) {
	fast := controller.Options{MaxConcurrentReconciles: 4}
	must(ctrl.NewControllerManagedBy(one).Named("websites").For(emptyWebsite(), builder.WithPredicates(predicate.ResourceVersionChangedPredicate{})).
		Owns(&appsv1.Deployment{}).WithOptions(fast).Complete(websiteReconciler{one.GetClient(), cleaned}))
	must(ctrl.NewControllerManagedBy(one).Named("deployments").For(&appsv1.Deployment{}).WithOptions(fast).Complete(deploymentReconciler{one.GetClient()}))
}

func runControllerRuntime(base *rest.Config) {
	c := clientsOf(base)
	plain := got(client.New(base, client.Options{Scheme: scheme.Scheme}))
	run("manager: two controllers bring custom resources, deployments and statuses about", func(ctx context.Context) { tryControllers(ctx, c, plain) })
	run("manager: leads alone, and is followed when it has gone", func(ctx context.Context) { tryElection(ctx, c) })
	clientCases(c, plain)
	cacheCases(c, plain)
}

func tryControllers(ctx context.Context, c clients, plain client.Client) {
	define(ctx, c.config)
	namespace := c.namespace(ctx)
	var cleaned atomic.Int32
	one := managerFor(c.config, namespace)
	addControllers(one, &cleaned)
	ended, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- one.Start(ended) }()
	for _, name := range []string{"a", "b", "c"} {
		site := website(name, map[string]any{"image": "x", "replicas": int64(2)})
		site.SetNamespace(namespace)
		must(plain.Create(ctx, site))
	}
	ready := func(name string, wanted int64) func() bool {
		return func() bool {
			site := emptyWebsite()
			must(plain.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, site))
			replicas, _, _ := unstructured.NestedInt64(site.Object, "status", "replicas")
			return replicas == wanted
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		eventually(ctx, "the website "+name+" to have 2 replicas", ready(name, 2))
	}
	site := emptyWebsite()
	must(plain.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "a"}, site))
	must(plain.Patch(ctx, site, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"replicas":5}}`))))
	eventually(ctx, "the website a to have 5 replicas", ready("a", 5))
	must(plain.Delete(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "b"}}))
	eventually(ctx, "the deployment b to be made again", func() bool {
		return plain.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "b"}, &appsv1.Deployment{}) == nil
	})
	must(plain.DeleteAllOf(ctx, emptyWebsite(), client.InNamespace(namespace)))
	eventually(ctx, "the websites to go", func() bool {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(websiteKind)
		must(plain.List(ctx, list, client.InNamespace(namespace)))
		return len(list.Items) == 0
	})
	equal(cleaned.Load(), 3)
	stop()
	must(next(ctx, "the end of the manager", done))
}

func tryElection(ctx context.Context, c clients) {
	namespace := c.namespace(ctx)
	leading := make(chan string, 4)
	start := func(name string) (context.CancelFunc, chan error) {
		one := managerFor(c.config, namespace)
		must(one.Add(manager.RunnableFunc(func(ctx context.Context) error {
			leading <- name
			<-ctx.Done()
			return nil
		})))
		ended, stop := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() { done <- one.Start(ended) }()
		return stop, done
	}
	stopFirst, first := start("first")
	equal(next(ctx, "a leader", leading), "first")
	stopSecond, second := start("second")
	time.Sleep(time.Second)
	equal(len(leading), 0)
	stopFirst()
	must(next(ctx, "the end of the first", first))
	equal(next(ctx, "another leader", leading), "second")
	list := &corev1.EventList{}
	must(got(client.New(c.config, client.Options{})).List(ctx, list, client.InNamespace(namespace)))
	stopSecond()
	must(next(ctx, "the end of the second", second))
}
