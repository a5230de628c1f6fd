import { useCallback, useEffect, useState } from 'react'
import { useIdentity } from '../../hooks/identity.ts'
import { useServices } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'
import { IdentityFailure, type PasswordAdvice } from '../../platform/person.ts'

export type { PasswordAdvice, PasswordRule } from '../../platform/person.ts'

/**
 * Returns which rules of the password policy `password` satisfies; `undefined` until the policy is loaded. The policy is checked again after each
 * failure of the form, because the failure may be the result of a changed policy.
 */
export function usePasswordAdvice(password: string, { failure }: Pick<Attempt<never[]>, 'failure'>): PasswordAdvice | undefined {
  const identity = useIdentity()
  const [advice, setAdvice] = useState<PasswordAdvice>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failure repeats the check.
  useEffect(() => {
    let isStale = false
    const requestAdvice = async () => (await identity.open()).advise(password)
    requestAdvice().then(
      (next) => {
        if (!isStale) setAdvice(next)
      },
      () => {
        // The identity service reports an invalid password when the form is submitted.
      },
    )
    return () => {
      isStale = true
    }
  }, [identity, password, failure])
  return advice
}

/** The error codes of a refused confirmation, by the status of the response. */
const confirmationCodes: Partial<Record<number, string>> = {
  400: 'expired-action-code',
  401: 'user-token-expired',
  403: 'other-account',
  404: 'invalid-action-code',
}

/** Returns the function that confirms the address of the signed-in account by the code of a mailed link. Rejects with an `IdentityFailure`. */
export function useConfirmEmail(): (code: string) => Promise<void> {
  const { accountApi, identity, site } = useServices()
  return useCallback(
    async (code) => {
      if (code === '') throw new IdentityFailure('invalid-action-code')
      const account = await identity.open()
      if (site.firebase) await account.verifyEmail(code)
      else
        await accountApi.call('POST /account/confirm_email', { code }).catch((cause: unknown) => {
          const isUnreachable = !(cause instanceof ApiCallError) || cause.kind === 'network'
          throw new IdentityFailure(isUnreachable ? 'network-request-failed' : (confirmationCodes[cause.code] ?? 'internal-error'), {
            cause,
          })
        })
      await account.reload()
    },
    [accountApi, identity, site],
  )
}

/** Returns the error code of the identity service. */
export const identityErrorCode = (error: unknown): string => (error instanceof IdentityFailure ? error.code : 'internal-error')

/** An asynchronous action of an account form, such as logging in, with its state and its last error. */
export interface Attempt<A extends unknown[]> {
  busy: boolean
  /** An error code of the identity service, or `offline` if the device had no network. `count` distinguishes successive failures. */
  failure: { code: string; count: number } | undefined
  /** Runs the action and resolves with whether it succeeded. A call while the action is running is ignored. */
  run(...args: A): Promise<boolean>
}

export function useAttempt<A extends unknown[]>(action: (...args: A) => Promise<unknown>): Attempt<A> {
  const { connection } = useServices()
  const [state, setState] = useState<{ busy: boolean; failure: Attempt<A>['failure'] }>({ busy: false, failure: undefined })
  const { busy } = state
  const runAttempt = async (...args: A) => {
    if (busy) return false
    setState(({ failure }) => ({ busy: true, failure }))
    try {
      await action(...args)
      setState({ busy: false, failure: undefined })
      return true
    } catch (error) {
      const hasNoNetwork = connection.offline && !connection.serverUnreachable
      const code = hasNoNetwork && identityErrorCode(error) === 'network-request-failed' ? 'offline' : identityErrorCode(error)
      setState(({ failure }) => ({ busy: false, failure: { code, count: (failure?.count ?? 0) + 1 } }))
      return false
    }
  }
  return { ...state, run: runAttempt }
}
