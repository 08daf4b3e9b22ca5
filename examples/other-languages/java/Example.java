// With io.fabric8:kubernetes-client on the class path; the server is that of KUBECONFIG.
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

public class Example {
  public static void main(String[] arguments) {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      ConfigMap settings = new ConfigMapBuilder().withNewMetadata().withName("settings-java").endMetadata().addToData("colour", "blue").build();
      client.configMaps().inNamespace("default").resource(settings).create();
      ConfigMap changed = client.configMaps().inNamespace("default").withName("settings-java")
          .edit(found -> new ConfigMapBuilder(found).addToData("colour", "green").build());
      System.out.println("ADDED " + changed.getData().get("colour"));
    }
  }
}
