package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"
)

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": name}}, Data: data}
}

func podTemplate() corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "web", Image: "nginx:1", Command: []string{"nginx", ""},
			Ports:          []corev1.ContainerPort{{Name: "http", ContainerPort: 80}},
			Env:            []corev1.EnvVar{{Name: "EMPTY"}, {Name: "NODE", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "spec.nodeName"}}}},
			Resources:      corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("1500m"), "memory": resource.MustParse("1Gi")}},
			ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromString("http")}}},
			VolumeMounts:   []corev1.VolumeMount{{Name: "tmp", MountPath: "/tmp"}},
		}}, Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}},
	}
}

func deployment(name string, replicas int32) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.DeploymentSpec{
		Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, Template: podTemplate(),
	}}
}

func (c clients) typedCases(form string) {
	named := func(text string) string { return "clientset, " + form + ": " + text }
	run(named("creates, reads, updates, refuses a stale update, deletes"), func(ctx context.Context) {
		maps := c.typed.CoreV1().ConfigMaps(c.namespace(ctx))
		created := got(maps.Create(ctx, configMap("a", map[string]string{"k": "1", "empty": ""}), metav1.CreateOptions{}))
		expect(created.UID != "" && !created.CreationTimestamp.IsZero(), "a uid and a time, got %v", created.ObjectMeta)
		equal(got(maps.Get(ctx, "a", metav1.GetOptions{})), created)
		updated := created.DeepCopy()
		updated.Data["k"] = "2"
		updated.BinaryData = map[string][]byte{"b": {0, 255}}
		updated = got(maps.Update(ctx, updated, metav1.UpdateOptions{}))
		equal(updated.BinaryData["b"], []byte{0, 255})
		_, err := maps.Update(ctx, created, metav1.UpdateOptions{})
		expect(apierrors.IsConflict(err), "a conflict, got %v", err)
		_, err = maps.Create(ctx, configMap("a", nil), metav1.CreateOptions{})
		expect(apierrors.IsAlreadyExists(err), "that it exists, got %v", err)
		must(maps.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(created.UID))}))
		_, err = maps.Get(ctx, "a", metav1.GetOptions{})
		expect(apierrors.IsNotFound(err), "that it is gone, got %v", err)
	})
	run(named("gets back the specs that it sent"), c.roundTrips)
	run(named("is refused what is invalid, with its causes"), func(ctx context.Context) {
		broken := deployment("web", -1)
		broken.Spec.Template.Spec.Containers[0].Image = ""
		_, err := c.typed.AppsV1().Deployments(c.namespace(ctx)).Create(ctx, broken, metav1.CreateOptions{})
		expect(apierrors.IsInvalid(err), "that it is invalid, got %v", err)
		expect(len(err.(apierrors.APIStatus).Status().Details.Causes) == 2, "two causes, got %v", err)
	})
	run(named("patches in four ways"), func(ctx context.Context) {
		namespace := c.namespace(ctx)
		deployments := c.typed.AppsV1().Deployments(namespace)
		got(deployments.Create(ctx, deployment("web", 1), metav1.CreateOptions{}))
		strategic := `{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"b"}]}}}}`
		patched := got(deployments.Patch(ctx, "web", types.StrategicMergePatchType, []byte(strategic), metav1.PatchOptions{}))
		equal(len(patched.Spec.Template.Spec.Containers), 2)
		patched = got(deployments.Patch(ctx, "web", types.MergePatchType, []byte(`{"spec":{"replicas":0}}`), metav1.PatchOptions{}))
		equal(*patched.Spec.Replicas, 0)
		patched = got(deployments.Patch(ctx, "web", types.JSONPatchType, []byte(`[{"op":"replace","path":"/spec/replicas","value":4}]`), metav1.PatchOptions{}))
		equal(*patched.Spec.Replicas, 4)
		maps := c.typed.CoreV1().ConfigMaps(namespace)
		mine := applycorev1.ConfigMap("a", namespace).WithData(map[string]string{"k": "1"})
		got(maps.Apply(ctx, mine, metav1.ApplyOptions{FieldManager: "me"}))
		_, err := maps.Apply(ctx, applycorev1.ConfigMap("a", namespace).WithData(map[string]string{"k": "2"}), metav1.ApplyOptions{FieldManager: "you"})
		expect(apierrors.IsConflict(err), "a conflict of managers, got %v", err)
		extracted := got(applycorev1.ExtractConfigMap(got(maps.Get(ctx, "a", metav1.GetOptions{})), "me"))
		equal(extracted.Data, map[string]string{"k": "1"})
	})
	run(named("selects, lists in pages, deletes a collection"), func(ctx context.Context) {
		maps := c.typed.CoreV1().ConfigMaps(c.namespace(ctx))
		for i := range 25 {
			got(maps.Create(ctx, configMap("m"+strconv.Itoa(i), nil), metav1.CreateOptions{}))
		}
		equal(len(got(maps.List(ctx, metav1.ListOptions{LabelSelector: "app in (m1,m2)"})).Items), 2)
		equal(got(maps.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=m3"})).Items[0].Name, "m3")
		pages, names := 0, 0
		paged := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) {
			pages++
			return maps.List(ctx, options)
		}))
		paged.PageSize = 10
		must(paged.EachListItem(ctx, metav1.ListOptions{}, func(runtime.Object) error { names++; return nil }))
		equal([]int{pages, names}, []int{3, 25})
		must(maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app notin (m1,m2)"}))
		equal(len(got(maps.List(ctx, metav1.ListOptions{})).Items), 2)
	})
	run(named("loses no update of ten writers that retry on conflict"), func(ctx context.Context) {
		maps := c.typed.CoreV1().ConfigMaps(c.namespace(ctx))
		got(maps.Create(ctx, configMap("counter", map[string]string{"n": "0"}), metav1.CreateOptions{}))
		patient := retry.DefaultBackoff
		patient.Steps = 100
		var writers sync.WaitGroup
		problems := make(chan error, 10)
		for range 10 {
			writers.Go(func() {
				problems <- retry.RetryOnConflict(patient, func() error {
					current, err := maps.Get(ctx, "counter", metav1.GetOptions{})
					if err != nil {
						return err
					}
					n, _ := strconv.Atoi(current.Data["n"])
					current.Data["n"] = strconv.Itoa(n + 1)
					_, err = maps.Update(ctx, current, metav1.UpdateOptions{})
					return err
				})
			})
		}
		writers.Wait()
		for range 10 {
			must(<-problems)
		}
		equal(got(maps.Get(ctx, "counter", metav1.GetOptions{})).Data["n"], "10")
	})
	run(named("drains a namespace, and takes dependents along"), func(ctx context.Context) {
		namespace := c.namespace(ctx)
		maps := c.typed.CoreV1().ConfigMaps(namespace)
		owner := got(maps.Create(ctx, configMap("owner", nil), metav1.CreateOptions{}))
		dependent := configMap("dependent", nil)
		dependent.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, corev1.SchemeGroupVersion.WithKind("ConfigMap"))}
		got(maps.Create(ctx, dependent, metav1.CreateOptions{}))
		background := metav1.DeletePropagationBackground
		must(maps.Delete(ctx, "owner", metav1.DeleteOptions{PropagationPolicy: &background}))
		eventually(ctx, "the dependent to go", func() bool {
			_, err := maps.Get(ctx, "dependent", metav1.GetOptions{})
			return apierrors.IsNotFound(err)
		})
		must(c.typed.CoreV1().Namespaces().Delete(ctx, namespace, metav1.DeleteOptions{}))
		eventually(ctx, "the namespace to go", func() bool {
			_, err := c.typed.CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{})
			return apierrors.IsNotFound(err)
		})
	})
}

// roundTrips sends objects of many kinds, and compares what was sent with what came.
func (c clients) roundTrips(ctx context.Context) {
	namespace := c.namespace(ctx)
	none, pathType := int32(0), networkingv1.PathTypePrefix
	sent := deployment("web", 0)
	sent.Spec.RevisionHistoryLimit = &none
	back := got(c.typed.AppsV1().Deployments(namespace).Create(ctx, sent, metav1.CreateOptions{}))
	equal([]int32{*back.Spec.Replicas, *back.Spec.RevisionHistoryLimit}, []int32{0, 0})
	container, wanted := back.Spec.Template.Spec.Containers[0], sent.Spec.Template.Spec.Containers[0]
	equal(container.Command, wanted.Command)
	equal(container.ReadinessProbe.HTTPGet.Port, wanted.ReadinessProbe.HTTPGet.Port)
	equal(fmt.Sprint(container.Resources.Limits.Cpu(), container.Resources.Limits.Memory()), "1500m 1Gi")
	expect(back.Spec.Template.Spec.Volumes[0].EmptyDir != nil, "a volume of type emptyDir")
	stateful := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Spec: appsv1.StatefulSetSpec{
		ServiceName: "s", Selector: sent.Spec.Selector, Template: podTemplate(),
		VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}, Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": resource.MustParse("1Gi")}},
		}}},
	}}
	equal(got(c.typed.AppsV1().StatefulSets(namespace).Create(ctx, stateful, metav1.CreateOptions{})).Spec.VolumeClaimTemplates[0].Name, "data")
	daemon := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "d"}, Spec: appsv1.DaemonSetSpec{Selector: sent.Spec.Selector, Template: podTemplate()}}
	got(c.typed.AppsV1().DaemonSets(namespace).Create(ctx, daemon, metav1.CreateOptions{}))
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "j"}, Spec: batchv1.JobSpec{BackoffLimit: &none, Template: podTemplate()}}
	job.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyNever
	equal(*got(c.typed.BatchV1().Jobs(namespace).Create(ctx, job, metav1.CreateOptions{})).Spec.BackoffLimit, 0)
	policy := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: networkingv1.NetworkPolicySpec{
		Ingress: []networkingv1.NetworkPolicyIngressRule{{From: []networkingv1.NetworkPolicyPeer{{PodSelector: &metav1.LabelSelector{}}}}},
	}}
	peers := got(c.typed.NetworkingV1().NetworkPolicies(namespace).Create(ctx, policy, metav1.CreateOptions{})).Spec.Ingress[0].From
	expect(peers[0].PodSelector != nil, "a selector of all pods, got %v", peers)
	ingress := &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Name: "i"}, Spec: networkingv1.IngressSpec{Rules: []networkingv1.IngressRule{{
		Host: "a.example.com", IngressRuleValue: networkingv1.IngressRuleValue{HTTP: &networkingv1.HTTPIngressRuleValue{Paths: []networkingv1.HTTPIngressPath{{
			Path: "/", PathType: &pathType, Backend: networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{
				Name: "web", Port: networkingv1.ServiceBackendPort{Number: 80}}}}}}},
	}}}}
	equal(got(c.typed.NetworkingV1().Ingresses(namespace).Create(ctx, ingress, metav1.CreateOptions{})).Spec.Rules, ingress.Spec.Rules)
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "r"}, Rules: []rbacv1.PolicyRule{{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}}}}
	equal(got(c.typed.RbacV1().Roles(namespace).Create(ctx, role, metav1.CreateOptions{})).Rules, role.Rules)
}
