import type { Player } from './player-interface.ts'

const SEEK_SECONDS = 10
const POSITION_EVERY_MS = 5000

/** Shows the song on the device's lock screen and media keys, and takes their commands. Gives the way to stop it. */
export function connectMediaSession(player: Player, session: MediaSession | undefined = globalThis.navigator?.mediaSession): () => void {
  if (!session) return () => {}
  let shownId: string | undefined
  let positionAtMs = 0

  function on(action: MediaSessionAction, handler: MediaSessionActionHandler | null) {
    try {
      session?.setActionHandler(action, handler)
    } catch {
      // A browser that does not know this action.
    }
  }

  function showPosition() {
    const { positionSeconds, durationSeconds } = player.position()
    positionAtMs = Date.now()
    if (durationSeconds <= 0) return
    session?.setPositionState({
      duration: durationSeconds,
      position: Math.min(Math.max(0, positionSeconds), durationSeconds),
      playbackRate: 1,
    })
  }

  function show() {
    const { current, status, contextTitle, canNext, canPrevious } = player.getSnapshot()
    if (!session) return
    if (current?.youtube_id !== shownId) {
      shownId = current?.youtube_id
      session.metadata = current
        ? new MediaMetadata({
            title: current.title,
            artist: current.author_name,
            album: contextTitle,
            artwork: [320, 640].map((width) => ({
              src: `/img/song/${current.youtube_id}/${width}`,
              sizes: `${width}x${Math.round((width * 9) / 16)}`,
            })),
          })
        : null
      positionAtMs = 0
    }
    session.playbackState = status === 'playing' ? 'playing' : current ? 'paused' : 'none'
    on('nexttrack', canNext ? () => player.next() : null)
    on('previoustrack', canPrevious ? () => player.previous() : null)
    showPosition()
  }

  on('play', () => player.play())
  on('pause', () => player.pause())
  on('stop', () => player.pause())
  on('seekbackward', (details) => player.seek(player.position().positionSeconds - (details.seekOffset ?? SEEK_SECONDS)))
  on('seekforward', (details) => player.seek(player.position().positionSeconds + (details.seekOffset ?? SEEK_SECONDS)))
  on('seekto', (details) => details.seekTime !== undefined && player.seek(details.seekTime))

  const stopState = player.subscribe(show)
  const stopPosition = player.onPosition(() => {
    if (Date.now() - positionAtMs >= POSITION_EVERY_MS) showPosition()
  })
  show()

  return () => {
    stopState()
    stopPosition()
    for (const action of ['play', 'pause', 'stop', 'seekbackward', 'seekforward', 'seekto', 'nexttrack', 'previoustrack'] as const)
      on(action, null)
    session.metadata = null
    session.playbackState = 'none'
  }
}
