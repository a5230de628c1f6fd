import type { Identity } from './identity.ts'

const doNothing = () => {}

/** An identity without an account, for rendering on the server, which does not know the account. */
export const anonymousIdentity: Identity = {
  getSnapshot: () => undefined,
  wasSignedOut: () => false,
  subscribe: () => doNothing,
  open: () => new Promise(doNothing),
  prepare: doNothing,
  signOut: async () => {},
  token: async () => undefined,
}
