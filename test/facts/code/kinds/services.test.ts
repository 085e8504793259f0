import { expect, test } from "vitest";
import { reader } from "./reading.js";

const { of, facts } = await reader([
  "python",
  "javascript",
  "typescript",
  "go",
  "java",
  "rust",
  "ruby",
  "php",
  "c-sharp",
]);

test.each([
  ["Express", "a.js", "app.get('/users/:id', auth, show);\n", "GET /users/{}"],
  ["an Express router", "a.ts", "router.route('/x').get(list).post(create);\n", "POST /x|GET /x"],
  ["Fastify", "a.ts", "fastify.delete('/z/:id', { schema }, remove);\n", "DELETE /z/{}"],
  ["Hono", "a.ts", "app.put('/h/:id{[0-9]+}', (c) => c.text(''));\n", "PUT /h/{}"],
  ["Next", "src/app/(shop)/users/[id]/route.ts", "export async function GET(request) {}\n", "GET /users/{}"],
  [
    "Nest",
    "a.ts",
    "@Controller('cats')\nclass A {\n  @Post() create() {}\n  @Get(':id') find() {}\n}\n",
    "POST /cats|GET /cats/{}",
  ],
  ["Flask", "a.py", "@app.route('/u/<int:id>', methods=['GET', 'POST'])\ndef f(id): pass\n", "GET /u/{}|POST /u/{}"],
  ["a Flask blueprint", "a.py", "@bp.post('/u')\ndef f(): pass\n", "POST /u"],
  ["FastAPI", "a.py", "@router.get('/items/{id}', status_code=200)\nasync def f(id): pass\n", "GET /items/{}"],
  ["Django", "urls.py", "urlpatterns = [\n    path('users/<int:pk>/', views.user),\n]\n", "ANY /users/{}"],
  ["Django by patterns", "urls.py", "urlpatterns = [re_path(r'^a/(?P<x>\\d+)/$', f)]\n", "ANY /a/{}"],
  [
    "Rails",
    "routes.rb",
    'Rails.draw do\n  get "/health", to: "h#show"\n  resources :users\nend\n',
    "GET /health|RESOURCES /users",
  ],
  ["Sinatra", "a.rb", 'post "/hello/:name" do\n  "x"\nend\n', "POST /hello/{}"],
  ["Gin", "a.go", 'package a\n\nfunc f() { r.GET("/users/:id", show) }\n', "GET /users/{}"],
  ["chi", "a.go", 'package a\n\nfunc f() { r.Get("/users/{id}", show) }\n', "GET /users/{}"],
  ["net/http", "a.go", 'package a\n\nfunc f() { http.HandleFunc("POST /items/{id}", show) }\n', "POST /items/{}"],
  ["net/http of old", "a.go", 'package a\n\nfunc f() { mux.Handle("/items", show) }\n', "ANY /items"],
  [
    "Spring",
    "A.java",
    '@RequestMapping("/api")\nclass A {\n  @GetMapping("/u/{id}")\n  void f() {}\n}\n',
    "GET /api/u/{}",
  ],
  [
    "Spring by method",
    "A.java",
    'class A {\n  @RequestMapping(value = "/u", method = RequestMethod.POST)\n  void f() {}\n}\n',
    "POST /u",
  ],
  [
    "ASP.NET",
    "A.cs",
    '[Route("api/[controller]")]\nclass UsersController {\n  [HttpGet("{id}")]\n  void F() {}\n}\n',
    "GET /api/users/{}",
  ],
  ["ASP.NET without classes", "A.cs", 'app.MapGet("/m/{id:int}", (int id) => id);\n', "GET /m/{}"],
  ["Laravel", "a.php", "<?php\nRoute::get('/users/{id}', [A::class, 'show']);\n", "GET /users/{}"],
  [
    "Symfony",
    "a.php",
    "<?php\nclass A {\n  #[Route('/s/{id}', methods: ['GET'])]\n  function f() {}\n}\n",
    "GET /s/{}",
  ],
  ["Axum", "a.rs", 'fn f() { Router::new().route("/users", get(list).post(create)); }\n', "GET /users|POST /users"],
  ["Actix", "a.rs", '#[get("/users/{id}")]\nasync fn f() {}\n', "GET /users/{}"],
])("A route of %s is told by method and template", (_name, path, text, expected) => {
  expect(of("route", path, null, text).sort()).toEqual(
    expected
      .split("|")
      .map((route) => `route ${route} = answered`)
      .sort(),
  );
});

test.each([
  ["a.js", "axios.get('/users', handler);\n"],
  ["a.js", "request(app).get('/users');\n"],
  ["a.js", "cache.get('/users', fallback);\n"],
  ["a.py", "requests.get('/users', params)\n"],
  ["a.py", "client.post('/users', data)\n"],
  ["a.py", "p = path('users')\n"],
  ["a.go", 'package a\n\nfunc f() { client.Get("/users", x) }\n'],
  ["a.rb", 'x.get("users")\n'],
])("What only asks others in %s is no route: %s", (path, text) => {
  expect(of("route", path, null, text)).toEqual([]);
});

test("A route that is removed with its function is told as gone", () => {
  const route = "@app.get('/x')\ndef f():\n    return 1\n";
  expect(of("route", "a.py", route, "")).toEqual(["-route GET /x = answered"]);
});

test.each([
  ["a.py", 'x = os.environ["TOKEN"]\n'],
  ["a.py", 'x = os.getenv("TOKEN")\n'],
  ["a.ts", "const x = process.env.TOKEN;\n"],
  ["a.ts", 'const x = process.env["TOKEN"];\n'],
  ["a.ts", "const { TOKEN } = process.env;\n"],
  ["a.ts", "const x = import.meta.env.TOKEN;\n"],
  ["a.go", 'package a\n\nvar x = os.Getenv("TOKEN")\n'],
  ["A.java", 'class A { String x = System.getenv("TOKEN"); }\n'],
  ["a.rs", 'fn f() { let x = std::env::var("TOKEN"); }\n'],
  ["a.rb", 'x = ENV["TOKEN"]\n'],
  ["a.rb", 'x = ENV.fetch("TOKEN")\n'],
  ["a.php", "<?php\n$x = getenv('TOKEN');\n"],
  ["A.cs", 'class A { string x = Environment.GetEnvironmentVariable("TOKEN"); }\n'],
])("What %s reads from its environment is told by name: %s", (path, text) => {
  expect(of("env", path, null, text)).toEqual(["env TOKEN = read"]);
});

test("A variable of the environment that is set is not read", () => {
  expect(of("env", "a.py", null, 'os.environ["TOKEN"] = "x"\n')).toEqual([]);
});

test.each([
  ["a.py", "def f():\n    return jsonify(x), 404\n"],
  ["a.py", "def f():\n    raise HTTPException(status_code=404)\n"],
  ["a.py", "def f():\n    raise HTTPException(status.HTTP_404_NOT_FOUND)\n"],
  ["a.ts", "function f() { res.status(404).json({}); }\n"],
  ["a.ts", "function f() { return NextResponse.json({}, { status: 404 }); }\n"],
  ["a.go", "package a\n\nfunc f() { c.JSON(http.StatusNotFound, x) }\n"],
  ["a.go", "package a\n\nfunc f() { w.WriteHeader(404) }\n"],
  ["A.java", "class A { Object f() { return ResponseEntity.notFound().build(); } }\n"],
  ["A.java", "class A { Object f() { return new ResponseEntity<>(HttpStatus.NOT_FOUND); } }\n"],
  ["a.rs", "fn f() { let s = StatusCode::NOT_FOUND; }\n"],
  ["a.rb", "def f\n  render json: x, status: :not_found\nend\n"],
  ["a.rb", "def f\n  head :not_found\nend\n"],
  ["a.php", "<?php\nfunction f() { abort(404); }\n"],
  ["A.cs", "class A { object F() { return NotFound(); } }\n"],
])("The status %s answers is one number in all languages: %s", (path, text) => {
  expect(of("status", path, null, text)).toEqual(["status 404 = answers"]);
});

test("A number of three digits that is no status is none", () => {
  expect(of("status", "a.py", null, "def f():\n    g(404, x)\n    size = 404\n    return 404\n")).toEqual([]);
});

test.each([
  ["SELECT * FROM users WHERE id = 1", ["users = reads"]],
  ["select name from users where id = ?", ["users = reads"]],
  ["INSERT INTO users (a) SELECT a FROM old", ["users = writes", "old = reads"]],
  ["UPDATE app.users SET a = 1", ["users = writes"]],
  ["DELETE FROM users", ["users = writes"]],
  ["CREATE TABLE IF NOT EXISTS users (id int)", ["users = defines"]],
  ["SELECT a FROM users u JOIN roles r ON r.id = u.id FOR UPDATE SKIP LOCKED", ["users = reads", "roles = reads"]],
  ["SELECT * FROM generate_series(1, 3)", []],
  ["Select a file from your disk", []],
  ["Update the user from time to time", []],
])("The tables of SQL in a string are told with what is done: %s", (sql, expected) => {
  const text = `package a\n\nfunc f() { db.Exec(${JSON.stringify(sql)}) }\n`;
  expect(of("table", "a.go", null, text)).toEqual(expected.map((each) => `table ${each}`));
});

test("A file of SQL is read like a string of it", () => {
  expect(of("table", "a.sql", "", "DELETE FROM users;\n")).toEqual(["table users = writes"]);
});

test.each([
  ["c.yml", "a:\n  b:\n    image: x:1\n", "a:\n  b:\n    image: x:2\n", "a.b.image = x:2"],
  ["c.yml", "s:\n  - uses: a/b@v4\n  - run: x\n", "s:\n  - uses: a/b@v5\n  - run: x\n", "s.uses = a/b@v5"],
  [
    "c.yml",
    "a:\n  run: npm test\n",
    "a:\n  run: npm test -- --ci -w fast-check\n",
    "a.run = npm test -- --ci -w fast-check",
  ],
  ["c.json", '{ "a": { "b": 1, "c": [1] } }', '{ "a": { "b": 1, "c": [1, 2] } }', "a.c = [1, 2]"],
  ["c.toml", "[a.b]\nline-length = 80\n", "[a.b]\nline-length = 100\n", "a.b.line-length = 100"],
  ["setup.cfg", "[a]\nmax = 3\n", "[a]\nmax = 4\n", "a.max = 4"],
  [".env", "A=1\n", "A=1\nB=2\n", "B = 2"],
  ["app.properties", "a.b=1\n", "a.b=2\n", "a.b = 2"],
  ["Dockerfile", "FROM node:20\n", "FROM node:22\n", "FROM node = FROM node:22"],
])("A setting of %s is told by the keys that lead to it", (path, before, after, expected) => {
  expect(facts(path, before, after)).toEqual(expect.arrayContaining([`setting ${expected}`]));
  expect(of("setting", path, before, after)).toHaveLength(1);
});
