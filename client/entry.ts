// What the HTML names. The program starts in short steps: between them the page answers to a person, also on a slow device.
import './ui/global.css'
import { nextTask } from './platform/next-task.ts'

await import('react-dom/client')
await nextTask()
await import('./main.tsx')
