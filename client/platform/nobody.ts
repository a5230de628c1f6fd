import type { Identity } from './identity.ts'

const nothing = () => {}

/** Identity where nobody ever is: on the server, which does not know who asks. */
export const nobody: Identity = {
  getSnapshot: () => undefined,
  wasSignedOut: () => false,
  subscribe: () => nothing,
  open: () => new Promise(nothing),
  prepare: nothing,
  signOut: async () => {},
  token: async () => undefined,
}
