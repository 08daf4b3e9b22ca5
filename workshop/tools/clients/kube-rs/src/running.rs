use crate::cases::{config_map, equal, expect, Cases, Outcome};
use futures::{Stream, StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::{ConfigMap, Event as StoredEvent};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::core::PartialObjectMeta;
use kube::runtime::controller::Action;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::runtime::finalizer::{finalizer, Event as Finalizer};
use kube::runtime::reflector::{self, ObjectRef};
use kube::runtime::wait::{await_condition, conditions};
use kube::runtime::watcher::{self, watcher, Config, Event as Watched};
use kube::runtime::{Controller, WatchStreamExt};
use kube::{Api, Client, CustomResource, CustomResourceExt, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(
    group = "kube-rs.example.com",
    version = "v1",
    kind = "Site",
    namespaced,
    status = "SiteStatus"
)]
struct SiteSpec {
    value: String,
    #[serde(default)]
    size: i32,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
struct SiteStatus {
    made: bool,
}

const PATIENCE: Duration = Duration::from_secs(30);

async fn define(client: &Client) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let name = Site::crd().name_any();
    definitions
        .patch(
            &name,
            &PatchParams::apply("clients").force(),
            &Patch::Apply(Site::crd()),
        )
        .await?;
    tokio::time::timeout(
        PATIENCE,
        await_condition(definitions, &name, conditions::is_crd_established()),
    )
    .await??;
    Ok(())
}

async fn next_name(
    stream: &mut (impl Stream<Item = Result<Watched<ConfigMap>, watcher::Error>> + Unpin),
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let event = tokio::time::timeout(PATIENCE, stream.try_next()).await??;
    Ok(match event {
        Some(Watched::Init) => "init".into(),
        Some(Watched::InitApply(object)) => format!("initially {}", object.name_any()),
        Some(Watched::InitDone) => "done".into(),
        Some(Watched::Apply(object)) => format!("applied {}", object.name_any()),
        Some(Watched::Delete(object)) => format!("deleted {}", object.name_any()),
        None => "end".into(),
    })
}

async fn follows(client: Client, namespace: String, config: Config) -> Outcome {
    let api: Api<ConfigMap> = Api::namespaced(client, &namespace);
    api.create(&PostParams::default(), &config_map("a", "1"))
        .await?;
    let mut stream = watcher(api.clone(), config.labels("app in (a,b)")).boxed();
    for expected in ["init", "initially a", "done"] {
        equal(next_name(&mut stream).await?, expected.to_string())?;
    }
    api.create(&PostParams::default(), &config_map("b", "1"))
        .await?;
    equal(next_name(&mut stream).await?, "applied b".to_string())?;
    api.patch(
        "b",
        &PatchParams::default(),
        &Patch::Merge(json!({ "metadata": { "labels": { "app": "z" } } })),
    )
    .await?;
    equal(next_name(&mut stream).await?, "deleted b".to_string())
}

async fn reflects(client: Client, namespace: String) -> Outcome {
    let api: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);
    for name in ["a", "b"] {
        api.create(&PostParams::default(), &config_map(name, "1"))
            .await?;
    }
    let (store, writer) = reflector::store();
    let stream = reflector::reflector(writer, watcher(api.clone(), Config::default()))
        .default_backoff()
        .touched_objects();
    let running = tokio::spawn(stream.for_each(|_| std::future::ready(())));
    tokio::time::timeout(PATIENCE, store.wait_until_ready()).await??;
    equal(
        store
            .state()
            .iter()
            .filter(|object| object.name_any().len() == 1)
            .count(),
        2,
    )?;
    api.patch(
        "a",
        &PatchParams::default(),
        &Patch::Merge(json!({ "data": { "k": "2" } })),
    )
    .await?;
    api.delete("b", &DeleteParams::default()).await?;
    let (a, b) = (
        ObjectRef::new("a").within(&namespace),
        ObjectRef::new("b").within(&namespace),
    );
    let value = || {
        store
            .get(&a)
            .and_then(|object| object.data.as_ref().and_then(|data| data.get("k").cloned()))
    };
    tokio::time::timeout(PATIENCE, async {
        while value().as_deref() != Some("2") || store.get(&b).is_some() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await?;
    running.abort();
    Ok(())
}

async fn follows_metadata(client: Client, namespace: String) -> Outcome {
    let api: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);
    let metadata: Api<PartialObjectMeta<ConfigMap>> = Api::namespaced(client, &namespace);
    let mut stream = watcher(metadata, Config::default().labels("app=a"))
        .applied_objects()
        .boxed();
    api.create(&PostParams::default(), &config_map("a", "1"))
        .await?;
    let object = tokio::time::timeout(PATIENCE, stream.try_next()).await??;
    equal(object.map(|object| object.name_any()), Some("a".into()))
}

/// Makes a config map of each site, and takes it away when the site goes.
async fn reconcile(site: Arc<Site>, client: Arc<Client>) -> Result<Action, failure::Failure> {
    let namespace = site.namespace().unwrap_or_default();
    let sites: Api<Site> = Api::namespaced((*client).clone(), &namespace);
    let maps: Api<ConfigMap> = Api::namespaced((*client).clone(), &namespace);
    finalizer(&sites, "kube-rs.example.com/site", site, |event| async {
        match event {
            Finalizer::Apply(site) => {
                let mut made = config_map(&site.name_any(), &site.spec.value);
                made.metadata.owner_references =
                    site.controller_owner_ref(&()).map(|owner| vec![owner]);
                maps.patch(
                    &site.name_any(),
                    &PatchParams::apply("site").force(),
                    &Patch::Apply(&made),
                )
                .await?;
                let status = json!({ "status": SiteStatus { made: true } });
                sites
                    .patch_status(
                        &site.name_any(),
                        &PatchParams::default(),
                        &Patch::Merge(status),
                    )
                    .await?;
            }
            Finalizer::Cleanup(site) => {
                maps.patch(
                    &site.name_any(),
                    &PatchParams::default(),
                    &Patch::Merge(json!({ "metadata": { "labels": { "cleaned": "yes" } } })),
                )
                .await?;
            }
        }
        Ok::<_, kube::Error>(Action::requeue(Duration::from_secs(300)))
    })
    .await
    .map_err(|error| failure::Failure(error.to_string()))
}

mod failure {
    /// Why a reconciliation failed.
    #[derive(Debug)]
    pub struct Failure(pub String);
    impl std::fmt::Display for Failure {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str(&self.0)
        }
    }
    impl std::error::Error for Failure {}
}

async fn controls(client: Client, namespace: String) -> Outcome {
    define(&client).await?;
    let sites: Api<Site> = Api::namespaced(client.clone(), &namespace);
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);
    let controller = Controller::new(sites.clone(), Config::default())
        .owns(maps.clone(), Config::default())
        .run(
            reconcile,
            |_, _, _| Action::requeue(Duration::from_millis(100)),
            Arc::new(client),
        );
    let running = tokio::spawn(controller.for_each(|_| std::future::ready(())));
    for name in ["one", "two"] {
        sites
            .create(
                &PostParams::default(),
                &Site::new(
                    name,
                    SiteSpec {
                        value: "x".into(),
                        size: 1,
                    },
                ),
            )
            .await?;
    }
    let has = |value: &'static str| {
        move |map: Option<&ConfigMap>| {
            map.and_then(|map| map.data.as_ref())
                .and_then(|data| data.get("k"))
                .is_some_and(|found| found == value)
        }
    };
    tokio::time::timeout(PATIENCE, await_condition(maps.clone(), "one", has("x"))).await??;
    sites
        .patch(
            "one",
            &PatchParams::default(),
            &Patch::Merge(json!({ "spec": { "value": "y" } })),
        )
        .await?;
    tokio::time::timeout(PATIENCE, await_condition(maps.clone(), "one", has("y"))).await??;
    maps.delete("two", &DeleteParams::default()).await?;
    tokio::time::timeout(PATIENCE, await_condition(maps.clone(), "two", has("x"))).await??;
    let made = |site: Option<&Site>| {
        site.and_then(|site| site.status.as_ref())
            .is_some_and(|status| status.made)
    };
    tokio::time::timeout(PATIENCE, await_condition(sites.clone(), "two", made)).await??;
    let uid = sites.get("one").await?.uid().unwrap_or_default();
    sites.delete("one", &DeleteParams::default()).await?;
    tokio::time::timeout(
        PATIENCE,
        await_condition(sites.clone(), "one", conditions::is_deleted(&uid)),
    )
    .await??;
    running.abort();
    Ok(())
}

async fn refuses(client: Client, namespace: String) -> Outcome {
    define(&client).await?;
    let sites: Api<Site> = Api::namespaced(client, &namespace);
    let wrong: Site = serde_json::from_value(
        json!({ "apiVersion": "kube-rs.example.com/v1", "kind": "Site", "metadata": { "name": "a" }, "spec": { "value": "x" } }),
    )?;
    let dry = PostParams {
        dry_run: true,
        ..Default::default()
    };
    sites.create(&dry, &wrong).await?;
    expect(
        sites.get_opt("a").await?.is_none(),
        "a dry run to write nothing",
    )?;
    let patch =
        json!({ "apiVersion": "kube-rs.example.com/v1", "kind": "Site", "spec": { "value": 1 } });
    match sites
        .patch("a", &PatchParams::apply("me"), &Patch::Apply(patch))
        .await
    {
        Err(kube::Error::Api(status)) => expect(
            status.code == 422 || status.code == 500 || status.code == 400,
            "a refusal",
        ),
        other => Err(format!("Expected a refusal, got {other:?}").into()),
    }
}

async fn records(client: Client, namespace: String) -> Outcome {
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);
    let about = maps
        .create(&PostParams::default(), &config_map("a", "1"))
        .await?
        .object_ref(&());
    let reporter = Reporter {
        controller: "clients".into(),
        instance: None,
    };
    let recorder = Recorder::new(client.clone(), reporter);
    for _ in 0..2 {
        let event = Event {
            type_: EventType::Normal,
            reason: "Tried".into(),
            note: Some("it works".into()),
            action: "Trying".into(),
            secondary: None,
        };
        recorder.publish(&event, &about).await?;
    }
    let events: Api<StoredEvent> = Api::namespaced(client, &namespace);
    let list = events
        .list(&ListParams::default().fields("involvedObject.name=a"))
        .await?;
    equal(
        list.items
            .iter()
            .map(|event| event.message.clone())
            .collect::<Vec<_>>(),
        vec![Some("it works".to_string())],
    )?;
    equal(
        list.items[0]
            .series
            .as_ref()
            .and_then(|series| series.count),
        Some(2),
    )
}

pub async fn cases(cases: &mut Cases) {
    cases
        .run("watcher: lists, then follows", |client, namespace| {
            follows(client, namespace, Config::default())
        })
        .await;
    cases
        .run(
            "watcher: lists in pages of one, then follows",
            |client, namespace| follows(client, namespace, Config::default().page_size(1)),
        )
        .await;
    cases
        .run(
            "watcher: streams its list, then follows",
            |client, namespace| follows(client, namespace, Config::default().streaming_lists()),
        )
        .await;
    cases
        .run("watcher: follows metadata alone", follows_metadata)
        .await;
    cases.run("reflector: holds what there is", reflects).await;
    cases
        .run(
            "controller: brings about what custom resources say, with finalizers and owners",
            controls,
        )
        .await;
    cases
        .run(
            "custom resources: dry runs, and refusals of wrong types",
            refuses,
        )
        .await;
    cases
        .run(
            "events: records one, and counts it when it comes again",
            records,
        )
        .await;
}
