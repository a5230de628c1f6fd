// The account snapshot: the HTML of the dashboard as it was last shown to the signed-in account. The page posts it to the service worker, which inserts it
// into the stored document of the dashboard, so that the favorites are painted before the program starts.

/** The path of the only page that has a snapshot. */
export const SNAPSHOT_PATH = '/account'
/** The id of the `<template>` that holds the snapshot. Its attribute `data-account` is the uid of the account that the snapshot belongs to. */
export const SNAPSHOT_ID = 'account-snapshot'
/** The empty template in the server's document. The service worker replaces this template by the snapshot. */
export const EMPTY_SNAPSHOT_TEMPLATE = `<template id="${SNAPSHOT_ID}"></template>`
/**
 * The localStorage key under which the page stores the signed-in account. Only a snapshot that belongs to this account is shown. The key is in
 * localStorage, like the login of the Firebase SDK, so that both are cleared together.
 */
export const SIGNED_IN_ACCOUNT_KEY = 'signed-in'
