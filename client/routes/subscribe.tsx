import { createFileRoute } from '@tanstack/react-router'
import { documentRoute } from '../bindings/document-route.ts'
import { renderLoadProblem } from '../features/catalogue/load-problem.tsx'
import { SubscribePage } from '../features/documents/subscribe-page.tsx'
import { Sample } from '../features/maker/sample.tsx'

export const Route = createFileRoute('/subscribe')({
  ...documentRoute('plans'),
  component: () => <SubscribePage renderProblem={renderLoadProblem} sample={<Sample />} />,
})
