// cargo run ; the server is that of KUBECONFIG.
use futures::TryStreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use kube::{Api, Client};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let maps: Api<ConfigMap> = Api::namespaced(Client::try_default().await?, "default");
    let settings = serde_json::from_value(serde_json::json!({ "metadata": { "name": "settings-rust" }, "data": { "colour": "blue" } }))?;
    maps.create(&PostParams::default(), &settings).await?;
    let patch = serde_json::json!({ "data": { "colour": "green" } });
    maps.patch("settings-rust", &PatchParams::default(), &Patch::Merge(&patch)).await?;
    let only = WatchParams::default().fields("metadata.name=settings-rust").timeout(10);
    let mut events = Box::pin(maps.watch(&only, "0").await?);
    if let Some(WatchEvent::Added(found)) = events.try_next().await? {
        println!("ADDED {}", found.data.unwrap_or_default()["colour"]);
    }
    Ok(())
}
