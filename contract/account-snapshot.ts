// The account snapshot: the HTML of the dashboard as it was last shown to the signed-in account. The page posts it to the service worker, which inserts it
// into the stored document of the dashboard, so that the favorites are painted before the program starts.

/** The path of the only page that has a snapshot. */
export const SNAPSHOT_PATH = '/account'
/** The id of the `<template>` that holds the snapshot. Its attribute `data-account` is the uid of the account that the snapshot belongs to. */
export const SNAPSHOT_ID = 'account-snapshot'
/** The template in the server's document, which the service worker replaces by the snapshot. */
export const EMPTY_SNAPSHOT = `<template id="${SNAPSHOT_ID}"></template>`
/**
 * The key in localStorage under which the page stores the signed-in account, whose uid a snapshot must have to be shown. The Firebase SDK stores its login
 * in localStorage as well, so that both are cleared together.
 */
export const SIGNED_IN_KEY = 'signed-in'
