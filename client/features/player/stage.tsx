import { usePlayer, usePlayerState, useStagePlace } from '../../hooks/player.tsx'
import { VideoFrame } from '../../ui/video-frame.tsx'

/** The video of the player: over the placeholder of the song page, in the corner of the dock, or off screen. */
export function Stage({ docked }: { docked: boolean }) {
  const player = usePlayer()
  const hasFrame = usePlayerState((state) => state.hasFrame)
  return <VideoFrame place={useStagePlace()} docked={docked} hasFrame={hasFrame} attach={player.attachStage} />
}
