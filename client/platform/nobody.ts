import type { Identity } from './identity.ts'

const never = () => new Promise<never>(() => {})

/** Identity where nobody ever is: on the server, which does not know who asks. */
export const nobody: Identity = {
  getSnapshot: () => undefined,
  subscribe: () => () => {},
  ...{
    signUp: never,
    logIn: never,
    signOut: never,
    sendReset: never,
    checkResetCode: never,
    resetPassword: never,
    sendVerification: never,
  },
  ...{ verifyEmail: never, changePassword: never, reauthenticate: never, remove: never, advise: never },
  token: async () => undefined,
  prepare: () => {},
}
