//! kube-rs as a side of `npm run bench -- peers`: a reflector over the same lists and watches as the other sides, as JSON.
//!
//!     rx-informer-bench-kube-rs '{"url":...,"path":...}'   prints its figures

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use futures::{pin_mut, StreamExt};
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, Node, Pod};
use kube::runtime::{reflector, watcher, WatchStreamExt};
use kube::{Api, Client, Config, Resource};
use serde::de::DeserializeOwned;
use serde::Deserialize;

/// Counts what is allocated: the memory that is retained.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Ordering::Relaxed);
        System.dealloc(pointer, layout)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    url: String,
    kind: String,
    warm_up: usize,
    events: usize,
}

/// The processor time of this process so far, in milliseconds.
fn cpu() -> f64 {
    let mut usage = unsafe { std::mem::zeroed::<libc::rusage>() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let ms = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    ms(usage.ru_utime) + ms(usage.ru_stime)
}

/// Asks the server to send the events.
fn send(url: &str) {
    use std::io::{Read, Write};
    let rest = url.strip_prefix("http://").expect("a URL of http");
    let (host, path) = rest.split_once('/').expect("a path");
    let mut socket = std::net::TcpStream::connect(host).expect("the server");
    let request = format!("POST /send/{path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).expect("to be heard");
    let _ = socket.read(&mut [0; 64]);
}

async fn measure<K>(options: Options) -> serde_json::Value
where
    K: Resource + Clone + Debug + DeserializeOwned + Send + Sync + 'static,
    K::DynamicType: Default + Eq + Hash + Clone,
{
    let config = Config::new(options.url.parse().expect("a URL"));
    let api: Api<K> = Api::all(Client::try_from(config).expect("a client"));
    let writer = reflector::store::Writer::<K>::default();
    let store = writer.as_reader();
    let events = watcher(api, watcher::Config::default()).reflect(writer);
    pin_mut!(events);
    let before_anything = ALLOCATED.load(Ordering::Relaxed);
    let (mut cpu_before, mut wall_before) = (cpu(), Instant::now());
    let (mut list, mut count) = (None, 0);
    while let Some(event) = events.next().await {
        match event.expect("no failure") {
            watcher::Event::InitDone => {
                let heap = ALLOCATED.load(Ordering::Relaxed) - before_anything;
                list = Some((cpu() - cpu_before, wall_before.elapsed(), heap));
                let url = options.url.clone();
                std::thread::spawn(move || send(&url));
            }
            watcher::Event::Apply(_) | watcher::Event::Delete(_) => count += 1,
            _ => {}
        }
        if count == options.warm_up {
            (cpu_before, wall_before) = (cpu(), Instant::now());
        }
        if count == options.warm_up + options.events {
            break;
        }
    }
    let (cpu_ms, wall) = (cpu() - cpu_before, wall_before.elapsed());
    let (list_ms, list_wall, list_heap) = list.expect("a list");
    serde_json::json!({
        "listMs": list_ms, "listWallMs": list_wall.as_secs_f64() * 1e3, "listHeap": list_heap, "listExternal": 0,
        "eventUs": cpu_ms * 1e3 / options.events as f64, "wallMs": wall.as_secs_f64() * 1e3,
        "heap": ALLOCATED.load(Ordering::Relaxed) - before_anything, "external": 0, "count": store.len(),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let given = std::env::args().nth(1).expect("options as JSON");
    let options: Options = serde_json::from_str(&given).expect("options");
    let figures = match options.kind.as_str() {
        "Pod" => measure::<Pod>(options).await,
        "Node" => measure::<Node>(options).await,
        "Lease" => measure::<Lease>(options).await,
        "ConfigMap" => measure::<ConfigMap>(options).await,
        kind => panic!("Expected a kind of Pod, Node, Lease or ConfigMap, got {kind}"),
    };
    println!("{figures}");
}
