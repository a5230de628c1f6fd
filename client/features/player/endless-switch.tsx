import { usePlayerState } from '../../hooks/player.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useEndless } from './use-endless.ts'

/**
 * The switch that makes related songs follow the last song of the queue. A song radio has no such switch, because it always continues with related
 * songs.
 */
export function EndlessSwitch({ className }: { className?: string | undefined }) {
  const { endless, setEndless } = useEndless()
  const isSongRadio = usePlayerState((state) => state.isSongRadio)
  const isExhausted = usePlayerState((state) => state.isExhausted)
  return (
    <div className={className}>
      {!isSongRadio && (
        <Switch checked={endless} onChange={setEndless}>
          When the queue ends, play related songs
        </Switch>
      )}
      {isExhausted && <p role="status">No more related songs.</p>}
    </div>
  )
}
