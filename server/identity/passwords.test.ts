import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { OverloadError } from './identity-error.ts'
import { createPasswords, createQueue } from './passwords.ts'

it('a password matches its own hash only, and none matches where there is no account', async () => {
  const passwords = createPasswords()
  const [first, second] = await Promise.all([passwords.hash('ann', 'pässwörd 1'), passwords.hash('ann', 'pässwörd 1')])
  expect(first).not.toBe(second)
  expect(await passwords.matches('ann', first, 'pässwörd 1')).toBe(true)
  expect(await passwords.matches('ann', first, 'pässwörd 2')).toBe(false)
  expect(await passwords.matches('ann', undefined, 'pässwörd 1')).toBe(false)
})

it('at most so many jobs run at once, so many wait, and more are refused', async () => {
  const run = createQueue({ jobsMax: 2, waitingMax: 3, waitMaxMs: 60_000 })
  let running = 0
  let most = 0
  const end: (() => void)[] = []
  const job = () =>
    run('one', async () => {
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
  await expect(run('one', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
  await expect(Promise.all([run('one', async () => 1), run('one', async () => 2)])).resolves.toEqual([1, 2])
})

it('many new passwords of one do not hold up those of others', async () => {
  const passwords = createPasswords()
  let done = 0
  const many = Array.from({ length: 20 }, async () => {
    await passwords.hash('ann', 'secret-1')
    done++
  })
  await passwords.hash('bob', 'secret-2')
  expect(done).toBeLessThan(10)
  await Promise.all(many)
})

it('lanes are served in turns, and each in its order', async () => {
  const run = createQueue({ jobsMax: 1, waitingMax: 100, waitMaxMs: 60_000 })
  const served: string[] = []
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) =>
    run(name.slice(0, 1), async () => {
      await tick()
      served.push(name)
    }),
  )
  await Promise.all(asked)
  expect(served).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

it('who waited too long is turned away, and makes room', async () => {
  const run = createQueue({ jobsMax: 1, waitingMax: 9, waitMaxMs: 5 })
  const first = run('a', () => sleep(50))
  const late = [run('a', async () => 'a'), run('b', async () => 'b')]
  await Promise.all(late.map((each) => expect(each).rejects.toBeInstanceOf(OverloadError)))
  await first
  expect(await run('a', async () => 'in time')).toBe('in time')
})
