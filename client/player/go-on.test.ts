import { expect, it, vi } from 'vitest'
import type { Connection } from '../platform/connection.ts'
import { GO_ON_WITHIN_MS, goOnWhenBack } from './go-on.ts'
import { idlePlayer, idleState } from './idle-player.ts'
import type { Player, PlayerState } from './player-interface.ts'

function setUp() {
  let state: PlayerState = idleState
  let tellPlayer = () => {}
  let tellConnection = () => {}
  const connection = { offline: false }
  const clock = { ms: 1_000 }
  const retry = vi.fn()
  const player: Player = {
    ...idlePlayer,
    retry,
    getSnapshot: () => state,
    subscribe(listener) {
      tellPlayer = listener
      return () => {}
    },
  }
  const link: Connection = {
    get offline() {
      return connection.offline
    },
    silent: false,
    subscribe(listener) {
      tellConnection = listener
      return () => {}
    },
    answered() {},
    unreachable() {},
    close() {},
  }
  goOnWhenBack(player, link, () => clock.ms)
  return {
    clock,
    retry,
    become(next: Partial<PlayerState>) {
      state = { ...idleState, ...next }
      tellPlayer()
    },
    connect(offline: boolean) {
      connection.offline = offline
      tellConnection()
    },
  }
}

const failed = { status: 'failed', error: { kind: 'network', message: '' } } as const

it('plays what could not be fetched, once, when the connection is back', () => {
  const { retry, become, connect } = setUp()
  connect(true)
  become(failed)
  expect(retry).not.toHaveBeenCalled()
  connect(false)
  expect(retry).toHaveBeenCalledTimes(1)
  connect(true)
  connect(false)
  expect(retry).toHaveBeenCalledTimes(1)
})

it('plays what still loads since the connection went', () => {
  const { retry, become, connect } = setUp()
  connect(true)
  become({ status: 'loading' })
  connect(false)
  expect(retry).toHaveBeenCalledTimes(1)
})

it('leaves a pause, a video that cannot play, and a wish of long ago alone', () => {
  const { retry, become, connect, clock } = setUp()
  connect(true)
  for (const state of [{ status: 'paused' }, { status: 'unplayable', error: { kind: 'unplayable', code: 100, skipped: false } }] as const) {
    become(failed)
    become(state)
    connect(false)
    connect(true)
  }
  become(failed)
  clock.ms += GO_ON_WITHIN_MS + 1
  become(failed)
  connect(false)
  expect(retry).not.toHaveBeenCalled()
})
