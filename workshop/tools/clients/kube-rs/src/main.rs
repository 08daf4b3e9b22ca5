//! What programs that use kube-rs do with an API server: a line of JSON for every case.

mod api;
mod cases;
mod running;

use cases::Cases;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

#[tokio::main]
async fn main() {
    let path = std::env::args().nth(1).expect("the path of a kubeconfig");
    let kubeconfig = Kubeconfig::read_from(path).expect("a kubeconfig");
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
        .await
        .expect("a configuration");
    let mut cases = Cases {
        client: Client::try_from(config).expect("a client"),
    };
    api::cases(&mut cases).await;
    running::cases(&mut cases).await;
}
