import { usePageRadio } from '../../hooks/page-radio.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

// If the chunk of the radio's video cannot be loaded, the widget works without a video.
const RadioLayer = lazyWithRetry(() => import('./radio-layer.tsx').then((module) => module.RadioLayer))

/**
 * The player of the radio above the routes, which is loaded together with the first radio widget. It is rendered once, because it contains
 * the video's frame.
 */
export function RadioDock() {
  const radio = usePageRadio()
  return radio && <RadioLayer radio={radio} />
}
