import { describeFollowFailure, useFollow } from '../hooks/follows.ts'
import { useNavigateTo } from '../hooks/paths.ts'
import { Button } from '../ui/button.tsx'
import { useChangeToast } from './use-change-toast.ts'

/** The time in milliseconds for which the message after following an artist is shown. */
const MESSAGE_SHOWN_MS = 8_000

/** The button that follows an artist. Renders nothing until it is known whether the artist is followed. */
export function FollowButton({ artist }: { artist: string }) {
  const { isFollowed, change } = useFollow(artist)
  const navigateTo = useNavigateTo()
  const toast = useChangeToast()
  if (isFollowed === undefined) return null
  const toggleFollow = () =>
    void change(!isFollowed).then(
      () => {
        if (isFollowed) return toast({ text: 'No longer followed', subject: artist })
        const action = { label: 'Open Latest', onSelect: () => navigateTo('/latest') }
        toast({ text: 'Followed', subject: artist, durationMs: MESSAGE_SHOWN_MS, action })
      },
      (error: unknown) => toast({ kind: 'bad', text: describeFollowFailure(error) }),
    )
  return (
    <Button pressed={isFollowed} onClick={toggleFollow}>
      Follow
    </Button>
  )
}
