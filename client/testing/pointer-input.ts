import { cdp } from 'vitest/browser'

interface Point {
  x: number
  y: number
}

/** A session of the DevTools protocol, with the calls that these functions make. Playwright's own type would need the types of Node. */
interface InputProtocolSession {
  send(method: 'Input.dispatchMouseEvent', parameters: Point & Record<string, unknown>): Promise<unknown>
  send(
    method: 'Input.dispatchTouchEvent',
    parameters: { type: 'touchStart' | 'touchMove' | 'touchEnd'; touchPoints: Point[] },
  ): Promise<unknown>
}

const openSession = () => cdp() as unknown as InputProtocolSession

/** Converts a point of the page under test to one of the page of the test runner, whose frame shows it, perhaps at a smaller scale. */
function toRunnerPoint({ x, y }: Point): Point {
  const { left = 0, top = 0, width = innerWidth } = frameElement?.getBoundingClientRect() ?? {}
  const scale = width / innerWidth
  return { x: left + x * scale, y: top + y * scale }
}

/** Sends events of a mouse as the browser receives them from the system, so that it captures pointers and scrolls. */
export const mouseInput = {
  press: (point: Point) =>
    openSession().send('Input.dispatchMouseEvent', {
      type: 'mousePressed',
      ...toRunnerPoint(point),
      button: 'left',
      buttons: 1,
      clickCount: 1,
    }),
  move: (point: Point) => openSession().send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...toRunnerPoint(point), buttons: 1 }),
  turnWheel: (point: Point, deltaY: number) =>
    openSession().send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...toRunnerPoint(point), deltaX: 0, deltaY }),
  release: (point: Point) =>
    openSession().send('Input.dispatchMouseEvent', {
      type: 'mouseReleased',
      ...toRunnerPoint(point),
      button: 'left',
      buttons: 0,
      clickCount: 1,
    }),
}

/** Sends events of one finger on a touch screen. */
export const touchInput = {
  press: (point: Point) => openSession().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [toRunnerPoint(point)] }),
  move: (point: Point) => openSession().send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [toRunnerPoint(point)] }),
  release: () => openSession().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
}
