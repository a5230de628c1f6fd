import { expect, it } from 'vitest'
import { IdentityFailure } from '../../platform/identity-types.ts'
import { describeAuthError } from './auth-messages.ts'

it.each([
  'email-already-in-use',
  'wrong-password',
  'user-not-found',
  'too-many-requests',
  'invalid-credential',
  'user-disabled',
  'network-request-failed',
  'requires-recent-login',
  'password-does-not-meet-requirements',
])('auth messages: %s has a separate message', (code) => {
  expect(describeAuthError(code)).not.toBe(describeAuthError('an unknown code'))
})

it('auth messages: the message for a weak password lists the requirements of the password policy', () => {
  const policyCheck = {
    minLength: 8,
    rules: [
      { rule: 'length', met: false },
      { rule: 'digit', met: true },
    ],
  } as const
  expect(describeAuthError('password-does-not-meet-requirements', policyCheck)).toBe(
    'This password needs 8 characters or more and a digit.',
  )
  expect(describeAuthError('weak-password', policyCheck)).toContain('8 characters or more')
})

it('auth messages: a password that is long enough but easy to guess has a separate message', () => {
  const advice = { minLength: 8, rules: [{ rule: 'length', met: true }] } as const
  expect(describeAuthError('weak-password', advice)).toContain('easy to guess')
})

it('auth messages: the message for a password that is too long states the maximum length', () => {
  const policyCheck = {
    minLength: 6,
    maxLength: 4096,
    rules: [
      { rule: 'length', met: true },
      { rule: 'max-length', met: false },
    ],
  } as const
  expect(describeAuthError('weak-password', policyCheck)).toContain('6 characters or more and 4096 characters or fewer.')
})

it('auth messages: a wrong password and an unknown email address have the same message', () => {
  expect(describeAuthError('wrong-password')).toBe(describeAuthError('user-not-found'))
  expect(describeAuthError('invalid-credential')).toBe(describeAuthError('user-not-found'))
})

it('auth messages: for an error code without a text of the site, the text of the identity service is shown', () => {
  const sdkError = new Error('Firebase: Access to this account has been paused. (auth/access-paused).')
  const { code, serviceText } = new IdentityFailure('access-paused', { cause: sdkError })
  expect(describeAuthError(code, undefined, serviceText)).toBe('Access to this account has been paused.')
  expect(describeAuthError('access-paused', undefined, new IdentityFailure('access-paused').serviceText)).toMatch(/^Something went wrong/)
})
