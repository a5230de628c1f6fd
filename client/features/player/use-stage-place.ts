import { useSyncExternalStore } from 'react'
import { hasStagePlace, subscribeStagePlace } from '../../player/stage-place.ts'

/** Returns whether the page has a placeholder of the video, in the viewport or not. */
export const useHasStagePlace = (): boolean => useSyncExternalStore(subscribeStagePlace, hasStagePlace, () => false)
