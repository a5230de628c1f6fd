import { describe, expect, it, vi } from 'vitest'
import { createDeferredPlayer } from './deferred-player.ts'
import { idlePlayer, idleState } from './idle-player.ts'

function createFakePlayer() {
  const openPlayer = vi.fn()
  const toggle = vi.fn()
  const attachStage = vi.fn()
  return { ...idlePlayer, open: openPlayer, toggle, attachStage, getSnapshot: () => ({ ...idleState, volume: 0.5 }) }
}

describe('deferred player', () => {
  it('deferred player: the state of the loaded player is published', async () => {
    const { player, loadPlayer } = createDeferredPlayer(async () => createFakePlayer())
    const listener = vi.fn()
    player.subscribe(listener)
    expect(player.getSnapshot()).toBe(idleState)
    await loadPlayer()
    expect(listener).toHaveBeenCalledOnce()
    expect(player.getSnapshot().volume).toBe(0.5)
  })

  it('deferred player: pending commands are executed once each, in order, when the first one has loaded the player', async () => {
    const loadedPlayer = createFakePlayer()
    const load = vi.fn(async () => loadedPlayer)
    const { player, loadPlayer } = createDeferredPlayer(load)
    player.attachStage({} as HTMLElement)
    expect(load).not.toHaveBeenCalled()
    player.open({ songId: 'a' })
    expect(player.getSnapshot()).toMatchObject({ status: 'loading', songId: 'a' })
    player.toggle()
    player.open({ songId: 'b' })
    await loadPlayer()
    expect(loadedPlayer.open.mock.calls).toEqual([[{ songId: 'a' }], [{ songId: 'b' }]])
    expect(loadedPlayer.toggle).toHaveBeenCalledOnce()
    expect(loadedPlayer.attachStage).toHaveBeenCalledBefore(loadedPlayer.open)
    expect(load).toHaveBeenCalledOnce()
    player.open({ songId: 'c' })
    expect(loadedPlayer.open).toHaveBeenLastCalledWith({ songId: 'c' })
  })

  it('deferred player: a command fails if loading fails, and is executed after a retry', async () => {
    const loadedPlayer = createFakePlayer()
    const loadPlayer = vi.fn(async () => loadedPlayer).mockRejectedValueOnce(new Error('no network'))
    const { player } = createDeferredPlayer(loadPlayer)
    player.open({ songId: 'a' })
    await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'failed', songId: 'a', error: { kind: 'network' } }))
    player.retry()
    expect(player.getSnapshot()).toMatchObject({ status: 'loading', error: undefined })
    await vi.waitFor(() => expect(loadedPlayer.open).toHaveBeenCalledExactlyOnceWith({ songId: 'a' }))
  })

  it('deferred player: if loading without a command fails, no error is published', async () => {
    const load = vi.fn(() => Promise.reject(new Error('no network')))
    const { player, loadPlayer } = createDeferredPlayer(load)
    await expect(loadPlayer()).rejects.toThrow('no network')
    expect(player.getSnapshot()).toBe(idleState)
  })

  it('deferred player: commands go to the player that is shown, whose state is published; events of both players are reported', async () => {
    const loadedPlayer = createFakePlayer()
    const { player, loadPlayer, showPlayer } = createDeferredPlayer(async () => loadedPlayer)
    expect(await loadPlayer()).toBe(loadedPlayer)
    const onChange = vi.fn()
    player.subscribe(onChange)
    const shownPlayer = { ...createFakePlayer(), getSnapshot: () => ({ ...idleState, volume: 0.25 }) }
    showPlayer(shownPlayer)
    expect(onChange).toHaveBeenCalledOnce()
    expect(player.getSnapshot().volume).toBe(0.25)
    player.toggle()
    expect(shownPlayer.toggle).toHaveBeenCalledOnce()
    expect(loadedPlayer.toggle).not.toHaveBeenCalled()
  })
})
