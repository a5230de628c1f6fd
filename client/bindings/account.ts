import { useEffect, useState } from 'react'
import type { AccountInfo } from '../../contract/account.ts'
import { IdentityFailure, type PasswordAdvice } from '../platform/person.ts'
import { type Loaded, useResource } from './catalogue.ts'
import { useIdentity } from './identity.ts'
import { useServices } from './services.tsx'

export type { PasswordAdvice, PasswordRule } from '../platform/person.ts'

/** What the server says of the account; from this device where it does not answer. */
export const useAccountInfo = (uid: string): Loaded<AccountInfo> => useResource(useServices().accounts.info(uid))

/**
 * What is wanted of a new password, and what of it is there; `undefined` until it is known. Asked for anew after each failure of `attempt`,
 * which may be the first to know of another policy.
 */
export function usePasswordAdvice(password: string, { failure }: Pick<Attempt<never[]>, 'failure'>): PasswordAdvice | undefined {
  const identity = useIdentity()
  const [advice, setAdvice] = useState<PasswordAdvice>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `failure` is why it is asked again.
  useEffect(() => {
    let left = false
    const ask = async () => (await identity.open()).advise(password)
    ask().then(
      (next) => {
        if (!left) setAdvice(next)
      },
      () => {
        // The service says it when the password is sent.
      },
    )
    return () => {
      left = true
    }
  }, [identity, password, failure])
  return advice
}

/** What the service calls that which went wrong. */
export const codeOf = (error: unknown): string => (error instanceof IdentityFailure ? error.code : 'internal-error')

/** One of the things that forms about accounts do: whether it is under way, and what it failed with. */
export interface Attempt<A extends unknown[]> {
  busy: boolean
  /** A code of the service, or `offline` where the device had no network then; `count` tells a second failure from the first. */
  failure: { code: string; count: number } | undefined
  /** Gives whether it was done. Ignored while one is under way. */
  run(...given: A): Promise<boolean>
}

export function useAttempt<A extends unknown[]>(work: (...given: A) => Promise<unknown>): Attempt<A> {
  const { connection } = useServices()
  const [state, setState] = useState<{ busy: boolean; failure: Attempt<A>['failure'] }>({ busy: false, failure: undefined })
  const { busy } = state
  const run = async (...given: A) => {
    if (busy) return false
    setState(({ failure }) => ({ busy: true, failure }))
    try {
      await work(...given)
      setState({ busy: false, failure: undefined })
      return true
    } catch (error) {
      const unplugged = connection.offline && !connection.silent
      const code = unplugged && codeOf(error) === 'network-request-failed' ? 'offline' : codeOf(error)
      setState(({ failure }) => ({ busy: false, failure: { code, count: (failure?.count ?? 0) + 1 } }))
      return false
    }
  }
  return { ...state, run }
}
