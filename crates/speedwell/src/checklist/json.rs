//! The JSON form: an object for each file, or an array of them.

use base64ct::{Base64, Encoding as _};
use serde::{Deserialize, Serialize};

use crate::names::Algorithm;

/// An object, as it is written and read.
#[derive(Serialize, Deserialize)]
pub(super) struct Object {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    file_base64: Option<String>,
    pub(super) algorithm: String,
    pub(super) digest: String,
}

impl Object {
    pub(super) fn name(&self) -> Option<Vec<u8>> {
        match (&self.file, &self.file_base64) {
            (Some(name), _) => Some(name.clone().into_bytes()),
            (None, Some(name)) => Base64::decode_vec(name).ok(),
            (None, None) => None,
        }
    }
}

pub(super) fn object(algorithm: &Algorithm, name: &[u8], digest: &str) -> String {
    let (file, file_base64) = match std::str::from_utf8(name) {
        Ok(name) => (Some(name.to_owned()), None),
        Err(_) => (None, Some(Base64::encode_string(name))),
    };
    let object = Object { file, file_base64, algorithm: algorithm.name.to_owned(), digest: digest.to_owned() };
    serde_json::to_string(&object).expect("strings are JSON")
}
