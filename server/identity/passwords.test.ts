import { setImmediate as tick } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { OverloadError } from './identity-error.ts'
import { createPasswords, createQueue } from './passwords.ts'

it('a password matches its own hash only, and none matches where there is no account', async () => {
  const passwords = createPasswords()
  const [first, second] = await Promise.all([passwords.hash('pässwörd 1'), passwords.hash('pässwörd 1')])
  expect(first).not.toBe(second)
  expect(await passwords.matches(first, 'pässwörd 1')).toBe(true)
  expect(await passwords.matches(first, 'pässwörd 2')).toBe(false)
  expect(await passwords.matches(undefined, 'pässwörd 1')).toBe(false)
})

it('at most so many jobs run at once, so many wait, and more are refused', async () => {
  const run = createQueue(2, 3)
  let running = 0
  let most = 0
  const end: (() => void)[] = []
  const job = () =>
    run(async () => {
      running++
      most = Math.max(most, running)
      await new Promise<void>((resolve) => end.push(resolve))
      running--
    })
  const jobs = Array.from({ length: 5 }, job)
  await expect(job()).rejects.toBeInstanceOf(OverloadError)
  for (let i = 0; i < 5; i++) {
    await tick()
    end.shift()?.()
    await tick()
    if (i === 0) jobs.push(job())
  }
  await tick()
  end.shift()?.()
  await Promise.all(jobs)
  expect(most).toBe(2)
  // A failure frees its place.
  await expect(run(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
  await expect(Promise.all([run(async () => 1), run(async () => 2)])).resolves.toEqual([1, 2])
})
