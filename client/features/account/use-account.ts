import { useCallback } from 'react'
import { type Action, useAction } from '../../hooks/action.ts'
import { useIdentity } from '../../hooks/identity.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'
import { IdentityFailure, type PasswordPolicyCheck } from '../../platform/identity-types.ts'

export type { PasswordPolicyCheck, PasswordRule } from '../../platform/identity-types.ts'

/**
 * Returns which rules of the password policy `password` satisfies; `undefined` until the policy is loaded. The policy is checked again after each
 * failure of the form, because the failure may be the result of a changed policy.
 */
export function usePasswordPolicyCheck(password: string, { result }: Pick<AuthAction<never[]>, 'result'>): PasswordPolicyCheck | undefined {
  const identity = useIdentity()
  // If this request fails, the identity service reports an invalid password when the form is submitted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failure repeats the check.
  const load = useCallback(async () => (await identity.open()).advise(password), [identity, password, result])
  return useRemoteData(load).data
}

/** The error codes of a refused confirmation, by the status of the response. */
const errorCodeByStatus: Partial<Record<number, string>> = {
  400: 'expired-action-code',
  401: 'user-token-expired',
  403: 'other-account',
  404: 'invalid-action-code',
}

/**
 * Returns the function that confirms the email address of the signed-in account with the code of the link in an email. Rejects with an
 * `IdentityFailure`.
 */
export function useConfirmEmail(): (code: string) => Promise<void> {
  const { accountApi, identity, site } = useServices()
  return useCallback(
    async (confirmationCode) => {
      if (confirmationCode === '') throw new IdentityFailure('invalid-action-code')
      const account = await identity.open()
      if (site.firebase) await account.verifyEmail(confirmationCode)
      else
        await accountApi.call('POST /account/confirm_email', { code: confirmationCode }).catch((cause: unknown) => {
          const isSiteUnreachable = !(cause instanceof ApiCallError) || cause.kind === 'network'
          throw new IdentityFailure(isSiteUnreachable ? 'network-request-failed' : (errorCodeByStatus[cause.code] ?? 'internal-error'), {
            cause,
          })
        })
      await account.reload()
    },
    [accountApi, identity, site],
  )
}

export const readIdentityErrorCode = (error: unknown): string => (error instanceof IdentityFailure ? error.code : 'internal-error')

export interface AuthAttemptError {
  /** An error code of the identity service, or `offline` if the device had no network. */
  code: string
  /** The identity service's error text, which is shown if the site has no text for the error code. */
  message: string | undefined
}

/** An action of an account form, such as logging in. */
export type AuthAction<A extends unknown[]> = Action<A, AuthAttemptError>

export function useAuthAction<A extends unknown[]>(authAction: (...args: A) => Promise<unknown>): AuthAction<A> {
  const { connection } = useServices()
  return useAction(authAction, (cause) => {
    const code = readIdentityErrorCode(cause)
    const hasNoNetwork = connection.offline && !connection.serverUnreachable
    const message = cause instanceof IdentityFailure ? cause.serviceText : undefined
    return { code: hasNoNetwork && code === 'network-request-failed' ? 'offline' : code, message }
  })
}
