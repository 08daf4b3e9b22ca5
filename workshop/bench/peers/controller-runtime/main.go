// An operator with controller-runtime, for the benchmark `operator`: what operator/ours.ts does with rx-informer.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type WebSiteSpec struct {
	Host     string `json:"host"`
	Image    string `json:"image"`
	Replicas int32  `json:"replicas"`
}

type WebSiteStatus struct {
	ReadyReplicas      int32 `json:"readyReplicas"`
	ObservedGeneration int64 `json:"observedGeneration"`
}

type WebSite struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WebSiteSpec   `json:"spec"`
	Status            WebSiteStatus `json:"status,omitempty"`
}

type WebSiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []WebSite `json:"items"`
}

func (in *WebSite) DeepCopyObject() runtime.Object {
	out := *in
	out.ObjectMeta = *in.ObjectMeta.DeepCopy()
	return &out
}

func (in *WebSiteList) DeepCopyObject() runtime.Object {
	out := *in
	out.Items = make([]WebSite, len(in.Items))
	for i := range in.Items {
		out.Items[i] = *in.Items[i].DeepCopyObject().(*WebSite)
	}
	return &out
}

var reconciles, failures atomic.Int64

type reconciler struct {
	client.Client
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	reconciles.Add(1)
	err := r.serve(ctx, request)
	if err != nil {
		failures.Add(1)
	}
	return ctrl.Result{}, err
}

func (r *reconciler) serve(ctx context.Context, request ctrl.Request) error {
	var site WebSite
	if err := r.Get(ctx, request.NamespacedName, &site); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		return nil
	}
	labels := map[string]string{"app.kubernetes.io/name": site.Name}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Labels = labels
		deployment.Spec.Replicas = &site.Spec.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		// Set field by field, since the rest has defaults of the server.
		containers := &deployment.Spec.Template.Spec.Containers
		if len(*containers) != 1 {
			*containers = []corev1.Container{{}}
		}
		(*containers)[0].Name = "site"
		(*containers)[0].Image = site.Spec.Image
		return controllerutil.SetControllerReference(&site, deployment, r.Scheme())
	})
	if err != nil {
		return err
	}
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Labels = labels
		service.Spec.Selector = labels
		if len(service.Spec.Ports) != 1 {
			service.Spec.Ports = []corev1.ServicePort{{Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromInt32(80)}}
		}
		service.Spec.Ports[0].Port = 80
		return controllerutil.SetControllerReference(&site, service, r.Scheme())
	})
	if err != nil {
		return err
	}
	status := WebSiteStatus{ReadyReplicas: deployment.Status.ReadyReplicas, ObservedGeneration: site.Generation}
	if status == site.Status {
		return nil
	}
	site.Status = status
	err = r.Status().Update(ctx, &site)
	if apierrors.IsConflict(err) {
		return fmt.Errorf("conflict: %w", err)
	}
	return err
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	url := flag.String("url", "", "the API server")
	concurrent := flag.Int("concurrent", 1, "the calls at once")
	flag.Parse()
	ctx := ctrl.SetupSignalHandler()
	scheme := runtime.NewScheme()
	must(clientgoscheme.AddToScheme(scheme))
	group := schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme.AddKnownTypeWithName(group.WithKind("WebSite"), &WebSite{})
	scheme.AddKnownTypeWithName(group.WithKind("WebSiteList"), &WebSiteList{})
	metav1.AddToGroupVersion(scheme, group)
	// Without the limit of the client, as ours.
	config := &rest.Config{Host: *url, QPS: -1, UserAgent: "operator"}
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	must(err)
	must(ctrl.NewControllerManagedBy(manager).
		For(&WebSite{}).Owns(&appsv1.Deployment{}).Owns(&corev1.Service{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: *concurrent}).
		Complete(&reconciler{manager.GetClient()}))
	must(manager.Start(ctx))
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	cpuMs := float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
	figures := map[string]float64{"reconciles": float64(reconciles.Load()), "failures": float64(failures.Load()), "cpuMs": cpuMs, "maxRssMb": float64(usage.Maxrss) / 1024}
	must(json.NewEncoder(os.Stdout).Encode(figures))
}
