import { expect, it } from 'vitest'
import { sentenceFor } from './auth-words.ts'

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
])('has a sentence of its own for %s', (code) => {
  expect(sentenceFor(code)).not.toBe(sentenceFor('a code that nobody knows'))
})

it('says what a weak password lacks', () => {
  const advice = {
    minLength: 8,
    rules: [
      { rule: 'length', met: false },
      { rule: 'digit', met: true },
    ],
  } as const
  expect(sentenceFor('password-does-not-meet-requirements', advice)).toBe(
    'This password is not what the site asks for. It needs 8 characters or more and a digit.',
  )
  expect(sentenceFor('weak-password', advice)).toContain('8 characters or more')
})

it('says how long a password may be at most', () => {
  const advice = {
    minLength: 6,
    maxLength: 4096,
    rules: [
      { rule: 'length', met: true },
      { rule: 'max-length', met: false },
    ],
  } as const
  expect(sentenceFor('weak-password', advice)).toContain('6 characters or more and 4096 characters or fewer.')
})

it('tells a wrong password and an unknown address alike', () => {
  expect(sentenceFor('wrong-password')).toBe(sentenceFor('user-not-found'))
  expect(sentenceFor('invalid-credential')).toBe(sentenceFor('user-not-found'))
})
