// Entry of the build. Starts the program in several tasks, so that the page can handle input between them on a slow device.
import './ui/global.css'
import { waitForNextTask } from './primitives/next-task.ts'

await import('./app/load-react.ts')
await waitForNextTask()
await import('./main.tsx')
