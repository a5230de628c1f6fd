import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { OverloadError } from './identity-error.ts'
import { checkPasswordPolicy, createJobQueue, createPasswordHasher } from './passwords.ts'

it('a password matches only its own hash, and never matches without an account', async () => {
  const passwordHasher = createPasswordHasher()
  const [firstHash, secondHash] = await Promise.all([passwordHasher.hash('ann', 'pässwörd 1'), passwordHasher.hash('ann', 'pässwörd 1')])
  expect(firstHash).not.toBe(secondHash)
  expect(await passwordHasher.matches('ann', firstHash, 'pässwörd 1')).toBe(true)
  expect(await passwordHasher.matches('ann', firstHash, 'pässwörd 2')).toBe(false)
  expect(await passwordHasher.matches('ann', undefined, 'pässwörd 1')).toBe(false)
})

it('new passwords have 8 to 1,000 characters, are not frequent ones, and are not a name of the account or the site', () => {
  const readRefusal = (password: string) => {
    try {
      checkPasswordPolicy(password, 'annabella@example.com')
      return 'accepted'
    } catch (error) {
      return error instanceof Error ? error.message.split(' : ')[0] : error
    }
  }
  for (const password of ['short-7', 'password', 'Password', 'PASSWORD123', '12345678', 'qwertyuiop', 'trustno1'])
    expect([password, readRefusal(password)]).toEqual([password, 'WEAK_PASSWORD'])
  for (const password of ['Annabella', 'annabella@EXAMPLE.com', 'Nightcore Meridian', 'slowedreverbmeridian', 'varispeed'])
    expect([password, readRefusal(password)]).toEqual([password, 'WEAK_PASSWORD'])
  expect(readRefusal('x'.repeat(1001))).toBe('PASSWORD_DOES_NOT_MEET_REQUIREMENTS')
  for (const password of ['secret-1', 'pässwörd 1', ' password ', 'x'.repeat(1000)])
    expect([password, readRefusal(password)]).toEqual([password, 'accepted'])
})

it('the queue limits running and waiting jobs, and refuses further ones', async () => {
  const runInQueue = createJobQueue({ jobsMax: 2, waitingMax: 3, waitMaxMs: 60_000 })
  let runningCount = 0
  let maxRunningCount = 0
  const endJobCallbacks: (() => void)[] = []
  const startJob = () =>
    runInQueue('one', async () => {
      runningCount++
      maxRunningCount = Math.max(maxRunningCount, runningCount)
      await new Promise<void>((resolve) => endJobCallbacks.push(resolve))
      runningCount--
    })
  const startedJobs = Array.from({ length: 5 }, startJob)
  await expect(startJob()).rejects.toBeInstanceOf(OverloadError)
  for (let i = 0; i < 5; i++) {
    await tick()
    endJobCallbacks.shift()?.()
    await tick()
    if (i === 0) startedJobs.push(startJob())
  }
  await tick()
  endJobCallbacks.shift()?.()
  await Promise.all(startedJobs)
  expect(maxRunningCount).toBe(2)
  // Checks that a failed job no longer counts as running.
  await expect(runInQueue('one', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
  await expect(Promise.all([runInQueue('one', async () => 1), runInQueue('one', async () => 2)])).resolves.toEqual([1, 2])
})

it('many jobs in one lane do not delay jobs in other lanes', async () => {
  const passwordHasher = createPasswordHasher()
  let doneCount = 0
  const manyJobs = Array.from({ length: 40 }, async () => {
    await passwordHasher.hash('ann', 'secret-1')
    doneCount++
  })
  await passwordHasher.hash('bob', 'secret-2')
  // If the queue had no lanes, at least 39 jobs would be done by now, in first-in first-out order. The exact number depends on how the system
  // schedules the two threads.
  expect(doneCount).toBeLessThan(35)
  await Promise.all(manyJobs)
})

it('lanes are served round-robin, and the jobs of each lane in first-in first-out order', async () => {
  const runInQueue = createJobQueue({ jobsMax: 1, waitingMax: 100, waitMaxMs: 60_000 })
  const finishedJobNames: string[] = []
  const queuedJobs = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((jobName) =>
    runInQueue(jobName.slice(0, 1), async () => {
      await tick()
      finishedJobNames.push(jobName)
    }),
  )
  await Promise.all(queuedJobs)
  expect(finishedJobNames).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

it('a job that has waited too long is refused, and frees its place', async () => {
  const runInQueue = createJobQueue({ jobsMax: 1, waitingMax: 9, waitMaxMs: 5 })
  const firstJob = runInQueue('a', () => sleep(50))
  const lateJobs = [runInQueue('a', async () => 'a'), runInQueue('b', async () => 'b')]
  await Promise.all(lateJobs.map((each) => expect(each).rejects.toBeInstanceOf(OverloadError)))
  await firstJob
  expect(await runInQueue('a', async () => 'in time')).toBe('in time')
})

it('a password matches in every Unicode normalization form, also if an earlier version stored the hash of the decomposed form; the minimum length counts characters, not UTF-16 units', async () => {
  const passwordHasher = createPasswordHasher()
  const [composedPassword, decomposedPassword] = ['caf\u00e9-12345', 'cafe\u0301-12345']
  for (const stored of [await passwordHasher.hash('ann', composedPassword), await passwordHasher.hash('ann', decomposedPassword)])
    for (const typed of [composedPassword, decomposedPassword]) expect(await passwordHasher.matches('ann', stored, typed)).toBe(true)
  expect(await passwordHasher.matches('ann', await hash(decomposedPassword), decomposedPassword)).toBe(true)
  expect(() => checkPasswordPolicy('🎵🎵🎵🎵', 'ann@example.com')).toThrow('at least 8 characters')
})
