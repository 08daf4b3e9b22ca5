package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func pod(name string) *corev1.Pod {
	template := podTemplate()
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: template.Labels}, Spec: template.Spec}
}

func (c clients) subresourceCases(form string) {
	named := func(text string) string { return "clientset, " + form + ": " + text }
	run(named("writes statuses, and nothing beside them"), func(ctx context.Context) {
		namespace := c.namespace(ctx)
		deployments := c.typed.AppsV1().Deployments(namespace)
		web := got(deployments.Create(ctx, deployment("web", 2), metav1.CreateOptions{}))
		web.Spec.Replicas = new(int32)
		web.Status = appsv1.DeploymentStatus{ObservedGeneration: 1, Replicas: 2, ReadyReplicas: 2, Conditions: []appsv1.DeploymentCondition{{
			Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: "Tried", LastUpdateTime: metav1.Now().Rfc3339Copy(), LastTransitionTime: metav1.Now().Rfc3339Copy(),
		}}}
		written := got(deployments.UpdateStatus(ctx, web, metav1.UpdateOptions{}))
		equal(*written.Spec.Replicas, 2)
		equal(written.Status.ReadyReplicas, 2)
		equal(written.Status.Conditions[0].Reason, "Tried")
		expect(!written.Status.Conditions[0].LastTransitionTime.IsZero(), "a time")
		pods := c.typed.CoreV1().Pods(namespace)
		one := got(pods.Create(ctx, pod("one"), metav1.CreateOptions{}))
		one.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1", ContainerStatuses: []corev1.ContainerStatus{{
			Name: "web", Image: "nginx:1", ImageID: "x", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}},
		}}}
		running := got(pods.UpdateStatus(ctx, one, metav1.UpdateOptions{}))
		expect(running.Status.ContainerStatuses[0].State.Running != nil, "a running container")
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{GenerateName: "node-"}, Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoSchedule}}}}
		node = got(c.typed.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}))
		node.Status.Capacity = corev1.ResourceList{"cpu": resource.MustParse("4")}
		node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "10.0.0.2"}}
		node = got(c.typed.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{}))
		equal(node.Status.Capacity.Cpu().String(), "4")
		must(c.typed.CoreV1().Nodes().Delete(ctx, node.Name, metav1.DeleteOptions{}))
	})
	run(named("scales"), func(ctx context.Context) {
		deployments := c.typed.AppsV1().Deployments(c.namespace(ctx))
		got(deployments.Create(ctx, deployment("web", 2), metav1.CreateOptions{}))
		scale := got(deployments.GetScale(ctx, "web", metav1.GetOptions{}))
		equal(scale.Spec, autoscalingv1.ScaleSpec{Replicas: 2})
		scale.Spec.Replicas = 0
		equal(got(deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{})).Spec.Replicas, 0)
	})
	run(named("binds and evicts pods, and adds an ephemeral container"), func(ctx context.Context) {
		namespace := c.namespace(ctx)
		pods := c.typed.CoreV1().Pods(namespace)
		one := got(pods.Create(ctx, pod("one"), metav1.CreateOptions{}))
		must(pods.Bind(ctx, &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Target: corev1.ObjectReference{Kind: "Node", Name: "n"}}, metav1.CreateOptions{}))
		one = got(pods.Get(ctx, "one", metav1.GetOptions{}))
		equal(one.Spec.NodeName, "n")
		one.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
			Name: "debug", Image: "busybox", ImagePullPolicy: corev1.PullAlways, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		}}}
		one = got(pods.UpdateEphemeralContainers(ctx, "one", one, metav1.UpdateOptions{}))
		equal(len(one.Spec.EphemeralContainers), 1)
		now := int64(0)
		must(pods.EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "one"}, DeleteOptions: &metav1.DeleteOptions{GracePeriodSeconds: &now}}))
		eventually(ctx, "the pod to go", func() bool {
			_, err := pods.Get(ctx, "one", metav1.GetOptions{})
			return apierrors.IsNotFound(err)
		})
	})
	run(named("asks what it may, and for a token"), func(ctx context.Context) {
		attributes := &authorizationv1.ResourceAttributes{Verb: "delete", Resource: "pods"}
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: attributes}}
		equal(got(c.typed.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})).Status.Allowed, true)
		accounts := c.typed.CoreV1().ServiceAccounts(c.namespace(ctx))
		got(accounts.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}, metav1.CreateOptions{}))
		request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{Audiences: []string{"me"}}}
		expect(got(accounts.CreateToken(ctx, "robot", request, metav1.CreateOptions{})).Status.Token != "", "a token")
	})
}
