import { usePageRadio } from '../../hooks/page-radio.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

// If the chunk cannot be loaded, the widget has no video.
const RadioLayer = lazyWithRetry(() => import('./radio-layer.tsx').then((module) => module.RadioLayer))

/** The radio above the routes, which is loaded with the first widget. Rendered once, since it contains the video's frame. */
export function RadioDock() {
  const radio = usePageRadio()
  return radio && <RadioLayer radio={radio} />
}
