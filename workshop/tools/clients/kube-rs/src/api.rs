use crate::cases::{config_map, equal, expect, Cases, Outcome};
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::api::{
    ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams,
    WatchEvent, WatchParams,
};
use kube::core::GroupVersionKind;
use kube::discovery::{verbs, Discovery, Scope};
use kube::{Api, Client, ResourceExt};
use serde_json::json;

fn deployment(replicas: i32) -> Deployment {
    serde_json::from_value(json!({
        "metadata": { "name": "web" },
        "spec": {
            "replicas": replicas,
            "selector": { "matchLabels": { "app": "web" } },
            "template": {
                "metadata": { "labels": { "app": "web" } },
                "spec": { "containers": [{ "name": "web", "image": "nginx:1" }] }
            }
        }
    }))
    .expect("a deployment")
}

async fn reads_and_writes(client: Client, namespace: String) -> Outcome {
    let api: Api<ConfigMap> = Api::namespaced(client, &namespace);
    let created = api
        .create(&PostParams::default(), &config_map("a", "1"))
        .await?;
    equal(api.get("a").await?.uid(), created.uid())?;
    let mut changed = created.clone();
    changed
        .data
        .get_or_insert_default()
        .insert("k".into(), "2".into());
    api.replace("a", &PostParams::default(), &changed).await?;
    match api.replace("a", &PostParams::default(), &changed).await {
        Err(kube::Error::Api(status)) => {
            equal((status.code, status.reason.as_str()), (409, "Conflict"))?
        }
        other => return Err(format!("Expected a conflict, got {other:?}").into()),
    }
    expect(
        api.get_opt("b").await?.is_none(),
        "nothing where there is nothing",
    )?;
    expect(
        api.delete("a", &DeleteParams::default()).await?.is_right(),
        "a status, since the object is gone at once",
    )?;
    expect(api.get_opt("a").await?.is_none(), "the object to be gone")
}

async fn patches(client: Client, namespace: String) -> Outcome {
    let api: Api<Deployment> = Api::namespaced(client, &namespace);
    api.create(&PostParams::default(), &deployment(1)).await?;
    let containers = json!({ "spec": { "template": { "spec": { "containers": [{ "name": "side", "image": "b" }] } } } });
    let patched = api
        .patch(
            "web",
            &PatchParams::default(),
            &Patch::Strategic(containers),
        )
        .await?;
    let count = patched.spec.template.spec.map(|spec| spec.containers.len());
    equal(count, Some(2))?;
    let patched = api
        .patch(
            "web",
            &PatchParams::default(),
            &Patch::Merge(json!({ "spec": { "replicas": 0 } })),
        )
        .await?;
    equal(patched.spec.replicas, Some(0))?;
    let applied =
        json!({ "apiVersion": "apps/v1", "kind": "Deployment", "spec": { "replicas": 4 } });
    match api
        .patch("web", &PatchParams::apply("me"), &Patch::Apply(&applied))
        .await
    {
        Err(kube::Error::Api(status)) => equal(status.code, 409)?,
        other => return Err(format!("Expected a conflict of managers, got {other:?}").into()),
    }
    let patched = api
        .patch(
            "web",
            &PatchParams::apply("me").force(),
            &Patch::Apply(&applied),
        )
        .await?;
    equal(patched.spec.replicas, Some(4))?;
    let status = json!({ "status": { "replicas": 4, "readyReplicas": 4 } });
    let patched = api
        .patch_status("web", &PatchParams::default(), &Patch::Merge(status))
        .await?;
    equal(
        patched.status.and_then(|status| status.ready_replicas),
        Some(4),
    )?;
    let scale = api
        .patch_scale(
            "web",
            &PatchParams::default(),
            &Patch::Merge(json!({ "spec": { "replicas": 7 } })),
        )
        .await?;
    equal(scale.spec.and_then(|spec| spec.replicas), Some(7))
}

async fn lists_in_pages(client: Client, namespace: String) -> Outcome {
    let api: Api<ConfigMap> = Api::namespaced(client, &namespace);
    for number in 0..25 {
        api.create(
            &PostParams::default(),
            &config_map(&format!("m{number}"), ""),
        )
        .await?;
    }
    let (mut pages, mut seen, mut from) = (0, 0, None);
    loop {
        let params = ListParams {
            limit: Some(10),
            continue_token: from,
            ..Default::default()
        };
        let page = api.list(&params).await?;
        (pages, seen) = (pages + 1, seen + page.items.len());
        from = page.metadata.continue_.filter(|token| !token.is_empty());
        if from.is_none() {
            break;
        }
    }
    equal((pages, seen), (3, 25))?;
    equal(
        api.list(&ListParams::default().labels("app in (m1,m2)"))
            .await?
            .items
            .len(),
        2,
    )?;
    equal(
        api.list(&ListParams::default().fields("metadata.name=m3"))
            .await?
            .items
            .len(),
        1,
    )?;
    equal(
        api.list_metadata(&ListParams::default().labels("app=m1"))
            .await?
            .items
            .len(),
        1,
    )?;
    api.delete_collection(
        &DeleteParams::default(),
        &ListParams::default().labels("app notin (m1)"),
    )
    .await?;
    equal(api.list(&ListParams::default()).await?.items.len(), 1)
}

async fn watches(client: Client, namespace: String) -> Outcome {
    let api: Api<ConfigMap> = Api::namespaced(client, &namespace);
    let version = api
        .list(&ListParams::default())
        .await?
        .metadata
        .resource_version
        .unwrap_or_default();
    let mut stream = api
        .watch(&WatchParams::default().timeout(20), &version)
        .await?
        .boxed();
    api.create(&PostParams::default(), &config_map("a", "1"))
        .await?;
    api.patch(
        "a",
        &PatchParams::default(),
        &Patch::Merge(json!({ "data": { "k": "2" } })),
    )
    .await?;
    api.delete("a", &DeleteParams::default()).await?;
    let mut seen = Vec::new();
    while let Some(event) = stream.try_next().await? {
        seen.push(match event {
            WatchEvent::Added(object) => format!("added {}", object.name_any()),
            WatchEvent::Modified(object) => format!("modified {}", object.name_any()),
            WatchEvent::Deleted(object) => format!("deleted {}", object.name_any()),
            other => format!("{other:?}"),
        });
        if seen.len() == 3 {
            break;
        }
    }
    equal(
        seen,
        vec![
            "added a".to_string(),
            "modified a".to_string(),
            "deleted a".to_string(),
        ],
    )
}

async fn evicts(client: Client, namespace: String) -> Outcome {
    let api: Api<Pod> = Api::namespaced(client, &namespace);
    let spec = json!({ "metadata": { "name": "p" }, "spec": { "containers": [{ "name": "c", "image": "i" }], "terminationGracePeriodSeconds": 0 } });
    api.create(&PostParams::default(), &serde_json::from_value(spec)?)
        .await?;
    api.evict("p", &Default::default()).await?;
    while api.get_opt("p").await?.is_some() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    Ok(())
}

async fn discovers(client: Client, namespace: String) -> Outcome {
    for discovery in [
        Discovery::new(client.clone()).run().await?,
        Discovery::new(client.clone()).run_aggregated().await?,
    ] {
        let kind = GroupVersionKind::gvk("apps", "v1", "Deployment");
        let Some((resource, capabilities)) = discovery.resolve_gvk(&kind) else {
            return Err("Expected deployments to be discovered".into());
        };
        equal(resource.plural.as_str(), "deployments")?;
        expect(
            capabilities.scope == Scope::Namespaced
                && capabilities.supports_operation(verbs::WATCH),
            "that they are watched",
        )?;
    }
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "ConfigMap"));
    let api: Api<DynamicObject> = Api::namespaced_with(client, &namespace, &kind);
    let object = DynamicObject::new("a", &kind).data(json!({ "data": { "k": "1" } }));
    api.create(&PostParams::default(), &object).await?;
    equal(api.get("a").await?.data["data"]["k"].as_str(), Some("1"))
}

pub async fn cases(cases: &mut Cases) {
    cases
        .run(
            "Api: reads, writes, is refused stale writes, deletes",
            reads_and_writes,
        )
        .await;
    cases
        .run("Api: patches in three ways, statuses and scales", patches)
        .await;
    cases
        .run(
            "Api: lists in pages, by labels and fields, deletes a collection",
            lists_in_pages,
        )
        .await;
    cases.run("Api: watches from a version", watches).await;
    cases.run("Api: evicts a pod", evicts).await;
    cases
        .run(
            "discovery: finds kinds in one document and in many, and uses them",
            discovers,
        )
        .await;
}
