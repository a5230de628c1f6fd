// Loads React. A dynamic import of the package itself would add code that converts its CommonJS exports, which are not used.
import 'react-dom/client'
