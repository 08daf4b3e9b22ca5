use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::api::{ObjectMeta, PostParams};
use kube::{Api, Client, ResourceExt};
use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

/// How a case ends.
pub type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// Runs cases, and prints what came of each.
pub struct Cases {
    pub client: Client,
}

impl Cases {
    /// Runs one with a namespace of its own.
    pub async fn run<F: Future<Output = Outcome>>(
        &mut self,
        name: &str,
        body: impl FnOnce(Client, String) -> F,
    ) {
        let namespace = new_namespace(&self.client).await;
        let why = match tokio::time::timeout(
            Duration::from_secs(60),
            body(self.client.clone(), namespace),
        )
        .await
        {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("did not end within a minute".into()),
        };
        println!(
            "{}",
            serde_json::json!({ "case": name, "passed": why.is_none(), "why": why.unwrap_or_default() })
        );
    }
}

async fn new_namespace(client: &Client) -> String {
    let metadata = ObjectMeta {
        generate_name: Some("case-".into()),
        ..Default::default()
    };
    let namespace = Namespace {
        metadata,
        ..Default::default()
    };
    let created = Api::<Namespace>::all(client.clone())
        .create(&PostParams::default(), &namespace)
        .await;
    created.expect("a namespace").name_any()
}

/// Ends a case unless two values are equal.
pub fn equal<T: PartialEq + std::fmt::Debug>(actual: T, expected: T) -> Outcome {
    if actual == expected {
        return Ok(());
    }
    Err(format!("Expected {expected:?}, got {actual:?}").into())
}

/// Ends a case unless something is so.
pub fn expect(holds: bool, what: &str) -> Outcome {
    if holds {
        return Ok(());
    }
    Err(format!("Expected {what}").into())
}

/// A config map with a label of its name.
pub fn config_map(name: &str, value: &str) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.into()),
            labels: Some(BTreeMap::from([("app".to_string(), name.to_string())])),
            ..Default::default()
        },
        data: Some(BTreeMap::from([("k".to_string(), value.to_string())])),
        ..Default::default()
    }
}
