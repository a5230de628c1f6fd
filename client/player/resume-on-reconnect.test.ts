import { expect, it, vi } from 'vitest'
import type { Connection } from '../platform/connection.ts'
import { idlePlayer, idleState } from './idle-player.ts'
import type { Player, PlayerState } from './player-interface.ts'
import { RESUME_WITHIN_MS, resumeOnReconnect } from './resume-on-reconnect.ts'

function setUp() {
  let playerState: PlayerState = idleState
  let notifyPlayerListener = () => {}
  let notifyConnectionListener = () => {}
  const connection = { offline: false }
  const clock = { ms: 1_000 }
  const retryLoad = vi.fn()
  const player: Player = {
    ...idlePlayer,
    retry: retryLoad,
    getSnapshot: () => playerState,
    subscribe(listener) {
      notifyPlayerListener = listener
      return () => {}
    },
  }
  const fakeConnection: Connection = {
    get offline() {
      return connection.offline
    },
    serverUnreachable: false,
    subscribe(listener) {
      notifyConnectionListener = listener
      return () => {}
    },
    reportResponse() {},
    reportUnreachable() {},
    close() {},
  }
  resumeOnReconnect(player, fakeConnection, () => clock.ms)
  return {
    clock,
    retry: retryLoad,
    become(stateChange: Partial<PlayerState>) {
      playerState = { ...idleState, ...stateChange }
      notifyPlayerListener()
    },
    connect(isOffline: boolean) {
      connection.offline = isOffline
      notifyConnectionListener()
    },
  }
}

const staysPaused = false
const failedState = { status: 'failed', error: { kind: 'network', message: '' } } as const

it('when the connection returns, a song that could not be loaded is retried once', () => {
  const { retry, become, connect } = setUp()
  connect(true)
  become(failedState)
  expect(retry).not.toHaveBeenCalled()
  connect(false)
  expect(retry.mock.calls).toEqual([[staysPaused]])
  connect(true)
  connect(false)
  expect(retry.mock.calls).toEqual([[staysPaused]])
})

it('when the connection returns, a song that was paused when it could not be loaded is retried, but stays paused', () => {
  const { retry, become, connect } = setUp()
  connect(true)
  become({ status: 'failed', error: { kind: 'network', message: '', wasPaused: true } })
  connect(false)
  expect(retry.mock.calls).toEqual([[true]])
})

it('when the connection returns, a song that has been loading since it was lost is retried', () => {
  const { retry, become, connect } = setUp()
  connect(true)
  become({ status: 'loading' })
  connect(false)
  expect(retry.mock.calls).toEqual([[staysPaused]])
})

it('a reconnection does not start a paused song, an unplayable video, or a song requested more than ten minutes ago', () => {
  const { retry, become, connect, clock } = setUp()
  connect(true)
  for (const state of [{ status: 'paused' }, { status: 'unplayable', error: { kind: 'unplayable', code: 100, skipped: false } }] as const) {
    become(failedState)
    become(state)
    connect(false)
    connect(true)
  }
  become(failedState)
  clock.ms += RESUME_WITHIN_MS + 1
  become(failedState)
  connect(false)
  expect(retry).not.toHaveBeenCalled()
})
