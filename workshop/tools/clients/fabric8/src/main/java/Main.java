import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What programs that use fabric8's client do with an API server: a line of JSON for every case. */
public class Main {
  interface Body {
    void run(KubernetesClient client, String namespace) throws Exception;
  }

  static void equal(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) throw new IllegalStateException("Expected " + expected + ", got " + actual);
  }

  static void refused(int code, Runnable call) {
    try {
      call.run();
    } catch (KubernetesClientException error) {
      equal(error.getCode(), code);
      return;
    }
    throw new IllegalStateException("Expected " + code + ", got an answer");
  }

  static void eventually(String what, BooleanSupplier holds) throws InterruptedException {
    for (long until = System.nanoTime() + 30_000_000_000L; !holds.getAsBoolean(); Thread.sleep(20))
      if (System.nanoTime() > until) throw new IllegalStateException("Expected " + what + " within half a minute");
  }

  static ConfigMap configMap(String name, Map<String, String> data) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).addToLabels("app", name).endMetadata().withData(data).build();
  }

  static Deployment deployment(int replicas) {
    return new DeploymentBuilder().withNewMetadata().withName("web").endMetadata().withNewSpec().withReplicas(replicas)
        .withNewSelector().addToMatchLabels("app", "web").endSelector().withNewTemplate().withNewMetadata().addToLabels("app", "web").endMetadata()
        .withNewSpec().addNewContainer().withName("c").withImage("nginx:1").endContainer().endSpec().endTemplate().endSpec().build();
  }

  static void readsAndWrites(KubernetesClient client, String namespace) {
    var maps = client.configMaps().inNamespace(namespace);
    ConfigMap created = maps.resource(configMap("a", Map.of("k", "1"))).create();
    equal(maps.withName("a").get(), created);
    maps.withName("a").edit(map -> new ConfigMapBuilder(map).addToData("k", "2").build());
    equal(maps.withName("a").get().getData().get("k"), "2");
    created.setData(Map.of("k", "3"));
    refused(409, () -> maps.resource(created).update());
    refused(409, () -> maps.resource(configMap("a", Map.of())).create());
    equal(maps.withName("a").delete().size(), 1);
    equal(maps.withName("a").get(), null);
  }

  static void patches(KubernetesClient client, String namespace) {
    var web = client.apps().deployments().inNamespace(namespace).withName("web");
    client.apps().deployments().inNamespace(namespace).resource(deployment(1)).create();
    String side = "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"side\",\"image\":\"b\"}]}}}}";
    equal(web.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), side).getSpec().getTemplate().getSpec().getContainers().size(), 2);
    equal(web.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":0}}").getSpec().getReplicas(), 0);
    web.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":3}}");
    equal(web.scale().getSpec().getReplicas(), 3);
    web.editStatus(old -> new DeploymentBuilder(old).withNewStatus().withReplicas(4).withReadyReplicas(4).endStatus().build());
    equal(web.get().getStatus().getReadyReplicas(), 4);
    var applied = client.configMaps().inNamespace(namespace).resource(configMap("a", Map.of("k", "1")));
    equal(applied.fieldManager("me").forceConflicts().serverSideApply().getData().get("k"), "1");
    refused(409, () -> client.configMaps().inNamespace(namespace).resource(configMap("a", Map.of("k", "2"))).fieldManager("you").serverSideApply());
  }

  static void lists(KubernetesClient client, String namespace) throws InterruptedException {
    var maps = client.configMaps().inNamespace(namespace);
    for (int i = 0; i < 25; i++) maps.resource(configMap("m" + i, Map.of())).create();
    int pages = 0;
    int names = 0;
    String token = null;
    do {
      var page = maps.list(new io.fabric8.kubernetes.api.model.ListOptionsBuilder().withLimit(10L).withContinue(token).build());
      pages++;
      names += page.getItems().size();
      token = page.getMetadata().getContinue();
    } while (token != null && !token.isEmpty());
    equal(List.of(pages, names), List.of(3, 25));
    equal(maps.withLabelIn("app", "m1", "m2").list().getItems().size(), 2);
    equal(maps.withField("metadata.name", "m3").list().getItems().size(), 1);
    maps.withLabelNotIn("app", "m1").delete();
    eventually("one to be left", () -> maps.list().getItems().size() == 1);
  }

  static void watches(KubernetesClient client, String namespace) throws Exception {
    var maps = client.configMaps().inNamespace(namespace);
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    var watch = maps.watch(new Watcher<ConfigMap>() {
      @Override
      public void eventReceived(Action action, ConfigMap map) {
        seen.add(action + " " + map.getMetadata().getName());
      }

      @Override
      public void onClose(WatcherException cause) {
        seen.add("closed");
      }
    });
    maps.resource(configMap("a", Map.of())).create();
    maps.withName("a").edit(map -> new ConfigMapBuilder(map).addToData("k", "v").build());
    maps.withName("a").delete();
    for (String expected : List.of("ADDED a", "MODIFIED a", "DELETED a")) equal(seen.poll(30, TimeUnit.SECONDS), expected);
    watch.close();
  }

  static ResourceEventHandler<ConfigMap> handler(BlockingQueue<String> seen) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(ConfigMap map) {
        seen.add("added " + map.getMetadata().getName());
      }

      @Override
      public void onUpdate(ConfigMap old, ConfigMap map) {
        seen.add("updated " + map.getMetadata().getName());
      }

      @Override
      public void onDelete(ConfigMap map, boolean unknown) {
        seen.add("deleted " + map.getMetadata().getName() + (unknown ? " unknown" : ""));
      }
    };
  }

  static void informs(KubernetesClient client, String namespace) throws Exception {
    var maps = client.configMaps().inNamespace(namespace);
    maps.resource(configMap("a", Map.of())).create();
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    try (var informer = maps.withLabelIn("app", "a", "b").inform(handler(seen))) {
      equal(seen.poll(30, TimeUnit.SECONDS), "added a");
      maps.resource(configMap("b", Map.of())).create();
      equal(seen.poll(30, TimeUnit.SECONDS), "added b");
      maps.withName("a").edit(map -> new ConfigMapBuilder(map).addToData("k", "v").build());
      equal(seen.poll(30, TimeUnit.SECONDS), "updated a");
      maps.withName("b").edit(map -> new ConfigMapBuilder(map).editMetadata().addToLabels("app", "z").endMetadata().build());
      equal(seen.poll(30, TimeUnit.SECONDS), "deleted b");
      equal(informer.getStore().list().size(), 1);
      equal(informer.getIndexer().byIndex("namespace", namespace).size(), 1);
    }
  }

  static void informsInPages(KubernetesClient client, String namespace) throws Exception {
    var maps = client.configMaps().inNamespace(namespace);
    for (String name : List.of("a", "b", "c")) maps.resource(configMap(name, Map.of())).create();
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    try (var informer = maps.withLabel("app").withLimit(1L).runnableInformer(0)) {
      informer.addEventHandler(handler(seen)).run();
      eventually("three objects", () -> informer.getStore().list().size() == 3 && informer.hasSynced());
    }
  }

  static void waits(KubernetesClient client, String namespace) throws Exception {
    Pod pod = new PodBuilder().withNewMetadata().withName("p").endMetadata().withNewSpec().withTerminationGracePeriodSeconds(0L).addNewContainer().withName("c").withImage("i").endContainer().endSpec().build();
    var pods = client.pods().inNamespace(namespace);
    pods.resource(pod).create();
    Thread later = new Thread(() -> pods.withName("p").editStatus(old -> new PodBuilder(old).withNewStatus().withPhase("Running").addNewCondition().withType("Ready").withStatus("True").endCondition().endStatus().build()));
    later.start();
    equal(pods.withName("p").waitUntilReady(30, TimeUnit.SECONDS).getStatus().getPhase(), "Running");
    equal(pods.withName("p").evict(), true);
    pods.withName("p").waitUntilCondition(Objects::isNull, 30, TimeUnit.SECONDS);
  }

  static void customResources(KubernetesClient client, String namespace) throws Exception {
    String definition = """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "cups.java.example.com"},
         "spec": {"group": "java.example.com", "scope": "Namespaced", "names": {"plural": "cups", "singular": "cup", "kind": "Cup"},
          "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
           {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}}}}]}}""";
    var definitions = client.apiextensions().v1().customResourceDefinitions();
    definitions.resource(Serialization.unmarshal(definition, CustomResourceDefinition.class)).create();
    eventually("the definition to be established", () -> definitions.withName("cups.java.example.com").get().getStatus() != null
        && definitions.withName("cups.java.example.com").get().getStatus().getConditions().stream().anyMatch(c -> c.getType().equals("Established") && c.getStatus().equals("True")));
    var cups = client.genericKubernetesResources("java.example.com/v1", "Cup").inNamespace(namespace);
    String cup = "{\"apiVersion\":\"java.example.com/v1\",\"kind\":\"Cup\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"size\":3}}";
    cups.resource(Serialization.unmarshal(cup, GenericKubernetesResource.class)).create();
    refused(422, () -> cups.resource(Serialization.unmarshal(cup.replace("\"a\"", "\"b\"").replace("3", "\"x\""), GenericKubernetesResource.class)).create());
    equal(cups.list().getItems().size(), 1);
    definitions.withName("cups.java.example.com").delete();
  }

  static void elects(KubernetesClient client, String namespace) throws Exception {
    BlockingQueue<String> leaders = new LinkedBlockingQueue<>();
    var elections = new java.util.ArrayList<java.util.concurrent.CompletableFuture<?>>();
    for (String name : List.of("first", "second")) {
      elections.add(client.leaderElector().withConfig(new LeaderElectionConfigBuilder().withName("clients").withReleaseOnCancel(true)
          .withLeaseDuration(Duration.ofSeconds(3)).withRenewDeadline(Duration.ofSeconds(2)).withRetryPeriod(Duration.ofMillis(300))
          .withLock(new LeaseLock(namespace, "lease", name))
          .withLeaderCallbacks(new LeaderCallbacks(() -> leaders.add(name), () -> {}, holder -> {})).build()).build().start());
      if (name.equals("first")) equal(leaders.poll(30, TimeUnit.SECONDS), "first");
    }
    elections.get(0).cancel(true);
    equal(leaders.poll(30, TimeUnit.SECONDS), "second");
    elections.get(1).cancel(true);
  }

  static void discovers(KubernetesClient client, String namespace) {
    equal(client.getKubernetesVersion().getMajor(), "1");
    equal(client.supports(Deployment.class), true);
    equal(client.hasApiGroup("apps", true), true);
    equal(client.getApiResources("apps/v1").getResources().stream().anyMatch(resource -> resource.getName().equals("deployments/scale")), true);
  }

  static void run(KubernetesClient client, String name, Body body) {
    String why = null;
    try {
      String namespace = client.namespaces().resource(new NamespaceBuilder().withNewMetadata().withGenerateName("case-").endMetadata().build()).create().getMetadata().getName();
      body.run(client, namespace);
    } catch (Exception | AssertionError error) {
      why = error.toString();
    }
    var line = new java.util.LinkedHashMap<String, Object>();
    line.put("case", name);
    line.put("passed", why == null);
    if (why != null) line.put("why", why);
    System.out.println(Serialization.asJson(line).replaceAll("\\s*\\n\\s*", "").replace("\" : ", "\": ").replace("{\"case\": ", "{\"case\":"));
  }

  public static void main(String[] arguments) {
    Config config = Config.fromKubeconfig(new File(arguments[0]));
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      run(client, "typed: reads, edits, is refused stale writes, deletes", Main::readsAndWrites);
      run(client, "typed: patches, scales, writes statuses, applies", Main::patches);
      run(client, "typed: lists in pages, by labels and fields, deletes many", Main::lists);
      run(client, "watch: brings every change, over WebSocket or HTTP", Main::watches);
      run(client, "informer: follows what a selector chooses, and indexes it", Main::informs);
      run(client, "informer: lists in pages", Main::informsInPages);
      run(client, "waits for conditions, evicts", Main::waits);
      run(client, "generic resources: defines, writes, is refused", Main::customResources);
      run(client, "leader election: one leads, the other follows", Main::elects);
      run(client, "discovery: groups, resources, version", Main::discovers);
    }
    System.exit(0);
  }
}
