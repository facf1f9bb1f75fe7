// Replaces nettle if libarchive is linked statically. libarchive calls it to decrypt zip files, but only after it was given a
// password; we never give one, so encrypted files are refused before any of these could be called.
extern "C" {
void nettle_aes128_encrypt() { __builtin_trap(); }
void nettle_aes128_set_encrypt_key() { __builtin_trap(); }
void nettle_aes192_encrypt() { __builtin_trap(); }
void nettle_aes192_set_encrypt_key() { __builtin_trap(); }
void nettle_aes256_encrypt() { __builtin_trap(); }
void nettle_aes256_set_encrypt_key() { __builtin_trap(); }
void nettle_hmac_sha1_digest() { __builtin_trap(); }
void nettle_hmac_sha1_set_key() { __builtin_trap(); }
void nettle_hmac_sha1_update() { __builtin_trap(); }
void nettle_pbkdf2_hmac_sha1() { __builtin_trap(); }
}
